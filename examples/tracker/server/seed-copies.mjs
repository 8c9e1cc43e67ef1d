// @ts-check

/**
 * Copies all issues into the past, with their labels and comments. Copies have other people, other priorities, and are mostly
 * done. One statement makes many rows: a statement for each row would take half a minute.
 * @param {import('./database.mjs').Database} database
 * @param {number} count how many issues there are; before them, as many ids are free for each copy
 * @param {number} copies
 * @param {number} age milliseconds between an issue and its copy
 */
export function copyIssues(database, count, copies, age) {
  if (copies === 0) return;
  database.exec(`
    CREATE TEMP TABLE copies (copy INTEGER PRIMARY KEY, back INTEGER, hours TEXT);
    CREATE TEMP TABLE counts AS SELECT project, count(*) AS count FROM issues GROUP BY project;
    CREATE TEMP TABLE recent AS SELECT * FROM issues;
    CREATE TEMP TABLE recent_labels AS SELECT * FROM issue_labels;
    CREATE TEMP TABLE recent_comments AS SELECT * FROM comments;
  `);
  const copy = database.prepare('INSERT INTO copies VALUES (?, ?, ?)');
  for (let number = 1; number <= copies; number++) {
    copy.run([number, number * count, `-${Math.round((number * age) / 3_600_000)} hours`]);
  }
  copy.finalize();
  database.exec(`
    -- A project numbers its issues from the oldest on.
    UPDATE issues SET number = number +
      ${copies} * (SELECT count FROM counts WHERE counts.project = issues.project);
    INSERT INTO issues
      (id, project, number, title, description, status, priority, author, assignee, created_at, updated_at)
    SELECT
      id - back,
      project,
      number + (${copies} - copy) * counts.count,
      title,
      description,
      CASE
        WHEN status IN ('done', 'canceled') THEN status
        WHEN (id + copy) % 40 = 0 THEN 'backlog'
        ELSE 'done'
      END,
      (priority + copy) % 5,
      1 + (author + copy) % 10,
      1 + (assignee + 3 * copy) % 10,
      ${earlier('created_at')},
      ${earlier('updated_at')}
    FROM copies CROSS JOIN recent JOIN counts USING (project)
    ORDER BY copy DESC, id;
    INSERT INTO issue_labels SELECT issue - back, label FROM copies CROSS JOIN recent_labels;
    INSERT INTO comments (issue, author, body, created_at)
    SELECT issue - back, 1 + (author + copy) % 10, body, ${earlier('created_at')}
    FROM copies CROSS JOIN recent_comments
    ORDER BY copy DESC, id;
    DROP TABLE copies;
    DROP TABLE counts;
    DROP TABLE recent;
    DROP TABLE recent_labels;
    DROP TABLE recent_comments;
  `);
}

/** @param {string} column */
const earlier = (column) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, hours)`;

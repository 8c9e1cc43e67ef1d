// @ts-check
import { copyIssues } from './seed-copies.mjs';
import * as words from './seed-words.mjs';

/** The number of issues in a fresh database. */
export const ISSUE_COUNT = 200_000;

/** The newest issues are made one by one; this is their number. SQLite copies them into the past for the others. */
const RECENT_COUNT = 5000;

const LAST_DAY = Date.UTC(2026, 9, 30, 16);
const HOUR = 3_600_000;
const EIGHT_YEARS = 70_000 * HOUR;

/**
 * Fills empty tables. The same rows every time: tests and screenshots rely on it.
 * @param {import('./database.mjs').Database} database
 * @param {number} issueCount up to 5 000, or a multiple of it
 */
export function seed(database, issueCount) {
  const count = Math.min(RECENT_COUNT, issueCount);
  const apart = Math.min(1.7 * HOUR, EIGHT_YEARS / issueCount);
  seedRecent(database, count, issueCount - count, apart);
  copyIssues(database, count, issueCount / count - 1, count * apart);
}

/**
 * @param {import('./database.mjs').Database} database
 * @param {number} count
 * @param {number} older how many issues are to come before these
 * @param {number} apart milliseconds between two issues
 */
function seedRecent(database, count, older, apart) {
  const random = randomNumbers(2026);
  /** @param {number} below */
  const number = (below) => Math.floor(random() * below);
  /** @type {<T>(list: readonly T[]) => T} */
  const pick = (list) => /** @type {any} */ (list[number(list.length)]);

  /** @param {string} table @param {readonly string[]} columns */
  const inserter = (table, columns) =>
    database.prepare(
      `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
    );

  const user = inserter('users', ['name', 'handle', 'role', 'hue']);
  for (const row of words.users) user.run(row);
  const project = inserter('projects', ['id', 'name', 'hue']);
  for (const row of words.projects) project.run(row);
  const label = inserter('labels', ['name', 'hue']);
  for (const row of words.labels) label.run(row);

  const issue = inserter('issues', [
    'id',
    'project',
    'number',
    'title',
    'description',
    'status',
    'priority',
    'author',
    'assignee',
    'created_at',
    'updated_at',
  ]);
  const issueLabel = inserter('issue_labels', ['issue', 'label']);
  const comment = inserter('comments', ['issue', 'author', 'body', 'created_at']);
  const numbers = words.projects.map(() => 0);

  for (let position = 1; position <= count; position++) {
    const id = older + position;
    const created = LAST_DAY - Math.floor(((count - position) * apart) / HOUR + random()) * HOUR;
    const area = number(words.projects.length);
    const [verb, firstLabel] = pick(words.openings);
    const title = `${verb} ${pick(words.things[area] ?? [])} ${pick(words.circumstances[area] ?? [])}`;
    const description = Array.from({ length: 1 + number(3) }, () => pick(words.sentences));
    const commentCount = Math.max(0, number(6) - 2);
    const updated = Math.min(created + number(200) * HOUR, LAST_DAY);
    issue.run([
      id,
      String(words.projects[area]?.[0]),
      (numbers[area] = (numbers[area] ?? 0) + 1),
      title.trim(),
      [...new Set(description)].join(' '),
      statusAt(position / count, random()),
      pick([0, 1, 2, 2, 3, 3, 3, 4, 4]),
      1 + number(words.users.length),
      random() < 0.12 ? null : 1 + number(words.users.length),
      new Date(created).toISOString(),
      new Date(updated).toISOString(),
    ]);
    const labels = new Set([Number(firstLabel)]);
    if (random() < 0.4) labels.add(1 + number(words.labels.length));
    for (const labelId of labels) issueLabel.run([id, labelId]);
    for (let count = 0; count < commentCount; count++) {
      const at = created + ((count + 1) / (commentCount + 1)) * (updated - created);
      comment.run([
        id,
        1 + number(words.users.length),
        pick(words.remarks),
        new Date(at).toISOString(),
      ]);
    }
  }
  for (const statement of [user, project, label, issue, issueLabel, comment]) statement.finalize();
}

/**
 * Old issues are mostly done, new ones mostly open.
 * @param {number} age 0 for the oldest, 1 for the newest
 * @param {number} chance
 */
function statusAt(age, chance) {
  if (chance < 0.06) return 'canceled';
  if (chance > 0.25 + age * 0.6) return 'done';
  return ['backlog', 'todo', 'in_progress', 'in_review'][Math.floor(chance * 997) % 4] ?? 'todo';
}

/**
 * The generator "mulberry32": small, fast, and the same on every machine.
 * @param {number} state
 */
function randomNumbers(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

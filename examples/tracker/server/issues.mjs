// @ts-check
import { inTransaction } from './database.mjs';
import { ORDERS, behind, cursorColumn, orderBy, toCursor } from './order.mjs';
import { existsIn } from './records.mjs';
import {
  ApiError,
  MAX_LIMIT,
  SORTS,
  STATUSES,
  between,
  idOf,
  invalid,
  listOf,
  oneOf,
  orNull,
  text,
  validate,
} from './validation.mjs';

/**
 * @typedef {import('./database.mjs').Database} Database
 * @typedef {import('node-sqlite3-wasm').JSValue} SqlValue
 */

const COLUMNS = `
  issues.id, project, number, title, description, status, priority, author, assignee,
  created_at AS createdAt, updated_at AS updatedAt,
  (SELECT count(*) FROM comments WHERE comments.issue = issues.id) AS commentCount,
  (SELECT group_concat(label) FROM issue_labels WHERE issue = issues.id) AS labels`;

/**
 * One page of the issues that match `query`: those behind the cursor `after`. It also has the cursor of its end, and the number that follow.
 * @param {Database} database
 * @param {Record<string, string>} query
 */
export function listIssues(database, query) {
  const {
    project,
    status,
    assignee,
    label,
    q,
    sort = 'newest',
    limit = 50,
    after,
  } = validate('Query', query, {
    project: (value) => value,
    status: oneOf([...STATUSES, 'open', 'closed']),
    assignee: (value) => (value === 'none' ? 'none' : idOf(() => true)(value)),
    label: idOf(() => true),
    q: text(0, 200),
    sort: oneOf(SORTS),
    limit: between(1, MAX_LIMIT),
    after: text(1, 1000),
  });
  /** @type {string[]} */
  const conditions = [];
  /** @type {SqlValue[]} */
  const values = [];
  const where = (/** @type {string} */ condition, /** @type {SqlValue[]} */ ...bound) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (project !== undefined) where('project = ?', project);
  if (status === 'open') where("status NOT IN ('done', 'canceled')");
  else if (status === 'closed') where("status IN ('done', 'canceled')");
  else if (status !== undefined) where('status = ?', status);
  if (assignee === 'none') where('assignee IS NULL');
  else if (assignee !== undefined) where('assignee = ?', assignee);
  if (label !== undefined)
    where('issues.id IN (SELECT issue FROM issue_labels WHERE label = ?)', label);
  if (q) {
    // % and _ are wild cards of LIKE; the reader means the characters.
    const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
    where(
      String.raw`(title LIKE ? ESCAPE '\' OR project || '-' || number LIKE ? ESCAPE '\')`,
      pattern,
      pattern,
    );
  }
  const order = /** @type {import('./order.mjs').Order} */ (ORDERS[sort]);
  const goOn = (/** @type {string} */ cursor) => {
    const rest = behind(order, cursor);
    where(rest.condition, ...rest.values);
  };
  const filter = () => (conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '');
  if (after !== undefined) goOn(after);
  const rows = database.all(
    `SELECT ${COLUMNS}, ${cursorColumn(order)} FROM issues ${filter()} ORDER BY ${orderBy(order)} LIMIT ?`,
    [...values, limit],
  );
  const last = rows.at(-1);
  if (!last) return { results: [], end: null, remaining: 0 };
  const end = toCursor(last['cursor']);
  goOn(end);
  const remaining = Number(
    database.get(`SELECT count(*) AS remaining FROM issues ${filter()}`, values)?.['remaining'],
  );
  return { results: embed(database, rows), end, remaining };
}

/** @param {Database} database @param {number} id @returns {Record<string, unknown> | undefined} */
export function getIssue(database, id) {
  const row = database.get(`SELECT ${COLUMNS} FROM issues WHERE id = ?`, id);
  if (!row) throw new ApiError(404, `There is no issue ${id}`);
  return embed(database, [row])[0];
}

const DEFAULTS = { description: '', status: 'todo', priority: 0, assignee: null, labels: [] };

/** @param {Database} database @param {unknown} input */
export function createIssue(database, input) {
  const given = validate('Issue', input, {
    ...editable(database),
    project: idOf(existsIn(database, 'projects'), String),
    author: idOf(existsIn(database, 'users')),
  });
  requireFields(given, ['title', 'project', 'author']);
  /** @type {Record<string, any>} */
  const issue = { ...DEFAULTS, ...given };
  return inTransaction(database, () => {
    const { lastInsertRowid } = database.run(
      `INSERT INTO issues
        (project, number, title, description, status, priority, author, assignee, created_at, updated_at)
      SELECT
        :project, 1 + coalesce(max(number), 0), :title, :description, :status, :priority, :author, :assignee, :now, :now
      FROM issues WHERE project = :project`,
      {
        ':project': issue['project'],
        ':title': issue['title'],
        ':description': issue['description'],
        ':status': issue['status'],
        ':priority': issue['priority'],
        ':author': issue['author'],
        ':assignee': issue['assignee'],
        ':now': new Date().toISOString(),
      },
    );
    const id = Number(lastInsertRowid);
    setLabels(database, id, issue['labels']);
    return getIssue(database, id);
  });
}

/**
 * Changes the members of `input`; with `whole`, those that are absent go back to their defaults.
 * @param {Database} database @param {number} id @param {unknown} input @param {boolean} whole
 */
export function changeIssue(database, id, input, whole) {
  const change = validate('Issue', input, editable(database));
  if (whole) requireFields(change, ['title']);
  return inTransaction(database, () => {
    getIssue(database, id);
    const { labels, ...columns } = whole ? { ...DEFAULTS, ...change } : change;
    // The names come from `editable`, never from the client.
    const assignments = [...Object.keys(columns), 'updated_at'].map((column) => `${column} = ?`);
    database.run(`UPDATE issues SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      new Date().toISOString(),
      id,
    ]);
    if (labels) setLabels(database, id, labels);
    return getIssue(database, id);
  });
}

/** @param {Database} database @param {number} id */
export function deleteIssue(database, id) {
  const { changes } = database.run('DELETE FROM issues WHERE id = ?', id);
  if (changes === 0) throw new ApiError(404, `There is no issue ${id}`);
}

/** @param {Database} database @returns {import('./validation.mjs').Checks} */
const editable = (database) => ({
  title: text(1, 200),
  description: text(0, 10_000),
  status: oneOf(STATUSES),
  priority: oneOf([0, 1, 2, 3, 4]),
  assignee: orNull(idOf(existsIn(database, 'users'))),
  labels: listOf(idOf(existsIn(database, 'labels'))),
});

/** @param {Record<string, any>} value @param {readonly string[]} names */
function requireFields(value, names) {
  const missing = names.filter((name) => value[name] === undefined);
  if (missing.length === 0) return;
  throw invalid('Issue', Object.fromEntries(missing.map((name) => [name, 'is required'])));
}

/** @param {Database} database @param {number} issue @param {readonly number[]} labels */
function setLabels(database, issue, labels) {
  database.run('DELETE FROM issue_labels WHERE issue = ?', issue);
  for (const label of labels)
    database.run('INSERT INTO issue_labels VALUES (?, ?)', [issue, label]);
}

/**
 * Replaces the ids in the rows by whole records, as many REST servers do.
 * @param {Database} database
 * @param {readonly Record<string, any>[]} rows
 */
function embed(database, rows) {
  /** @param {'users' | 'labels'} table */
  const byId = (table) =>
    new Map(database.all(`SELECT * FROM ${table}`).map((record) => [Number(record['id']), record]));
  const users = byId('users');
  const labels = byId('labels');
  return rows.map(({ cursor: _, ...row }) => ({
    ...row,
    author: users.get(row['author']),
    assignee: users.get(row['assignee']) ?? null,
    labels: String(row['labels'] ?? '')
      .split(',')
      .filter(Boolean)
      .map((id) => labels.get(Number(id))),
  }));
}

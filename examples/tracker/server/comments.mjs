// @ts-check
import { getIssue } from './issues.mjs';
import { existsIn, getUser } from './records.mjs';
import { ApiError, idOf, invalid, text, validate } from './validation.mjs';

/** @typedef {import('./database.mjs').Database} Database */

const COLUMNS = 'id, issue, author, body, created_at AS createdAt';

/** @param {Database} database @param {number} issue */
export function listComments(database, issue) {
  getIssue(database, issue);
  const rows = database.all(`SELECT ${COLUMNS} FROM comments WHERE issue = ? ORDER BY id`, issue);
  return rows.map((row) => ({ ...row, author: getUser(database, Number(row['author'])) }));
}

/**
 * The response also holds the new number of comments of the issue: every row that shows the number can follow.
 * @param {Database} database @param {number} issue @param {unknown} input
 */
export function createComment(database, issue, input) {
  getIssue(database, issue);
  const { body, author } = validate('Comment', input, {
    body: text(1, 4000),
    author: idOf(existsIn(database, 'users')),
  });
  if (body === undefined) throw invalid('Comment', { body: 'is required' });
  if (author === undefined) throw invalid('Comment', { author: 'is required' });
  const { lastInsertRowid } = database.run(
    'INSERT INTO comments (issue, author, body, created_at) VALUES (?, ?, ?, ?)',
    [issue, author, body, new Date().toISOString()],
  );
  const comment = database.get(`SELECT ${COLUMNS} FROM comments WHERE id = ?`, lastInsertRowid);
  return { ...comment, author: getUser(database, author), issue: counted(database, issue) };
}

/** @param {Database} database @param {number} issue @param {number} id */
export function deleteComment(database, issue, id) {
  const { changes } = database.run('DELETE FROM comments WHERE id = ? AND issue = ?', [id, issue]);
  if (changes === 0) throw new ApiError(404, `Issue ${issue} has no comment ${id}`);
  return { comment: id, issue: counted(database, issue) };
}

/** @param {Database} database @param {number} id */
function counted(database, id) {
  const row = database.get('SELECT count(*) AS commentCount FROM comments WHERE issue = ?', id);
  return { id, commentCount: row?.['commentCount'] };
}

// @ts-check
import { getIssue } from './issues.mjs';
import { getUser, listProjects } from './records.mjs';

/** @typedef {import('./database.mjs').Database} Database */

/**
 * Notes that a window of the page changed a record.
 * @param {Database} database
 * @param {string} client the window, by the name that it gave itself
 * @param {'issue' | 'user'} kind
 * @param {number} record
 * @param {boolean} [isNew]
 */
export function noteChange(database, client, kind, record, isNew = false) {
  database.run('INSERT INTO changes (client, kind, record, is_new) VALUES (?, ?, ?, ?)', [
    client,
    kind,
    record,
    Number(isNew),
  ]);
}

/**
 * The records that other windows changed after a revision. A window knows its own changes from their responses.
 * @param {Database} database
 * @param {string} client
 * @param {number} [since] without it nothing is listed but the present revision
 */
export function listChanges(database, client, since) {
  const revision = Number(
    database.get('SELECT coalesce(max(revision), 0) AS revision FROM changes')?.['revision'],
  );
  const notes = database.all(
    `SELECT kind, record, max(is_new) AS isNew FROM changes
     WHERE revision > ? AND client <> ? GROUP BY kind, record ORDER BY min(revision)`,
    [since ?? revision, client],
  );
  const issues = notes.filter(({ kind }) => kind === 'issue');
  const exists = database.prepare('SELECT 1 FROM issues WHERE id = ?');
  const kept = issues.filter(({ record }) => exists.get(Number(record)) !== null);
  exists.finalize();
  const whole = (/** @type {typeof issues} */ of) =>
    of.map(({ record }) => getIssue(database, Number(record)));
  return {
    revision,
    created: whole(kept.filter(({ isNew }) => isNew === 1)),
    changed: whole(kept.filter(({ isNew }) => isNew === 0)),
    deleted: issues.filter((note) => !kept.includes(note)).map(({ record }) => record),
    users: notes
      .filter(({ kind }) => kind === 'user')
      .map(({ record }) => getUser(database, Number(record))),
    projects: issues.length > 0 ? listProjects(database) : [],
  };
}

// @ts-check
/** Users, projects and labels: the small tables that issues refer to. */
import { ApiError, text, validate } from './validation.mjs';

/** @typedef {import('./database.mjs').Database} Database */

const PROJECTS = `
  SELECT id, name, hue, (
    SELECT count(*) FROM issues
    WHERE issues.project = projects.id AND issues.status NOT IN ('done', 'canceled')
  ) AS openCount
  FROM projects
  ORDER BY name`;

/** @param {Database} database */
export const listUsers = (database) => database.all('SELECT * FROM users ORDER BY id');

/** @param {Database} database */
export const listLabels = (database) => database.all('SELECT * FROM labels ORDER BY id');

/** @param {Database} database */
export const listProjects = (database) => database.all(PROJECTS);

/** @param {Database} database @param {number} id */
export function getUser(database, id) {
  const user = database.get('SELECT * FROM users WHERE id = ?', id);
  if (!user) throw new ApiError(404, `There is no user ${id}`);
  return user;
}

/** @param {Database} database @param {number} id @param {unknown} input */
export function changeUser(database, id, input) {
  const user = getUser(database, id);
  const { name = user['name'], role = user['role'] } = validate('User', input, {
    name: text(1, 60),
    role: text(1, 60),
  });
  database.run('UPDATE users SET name = ?, role = ? WHERE id = ?', [name, role, id]);
  return getUser(database, id);
}

/**
 * Returns true if a table has a row with that id.
 * @param {Database} database
 * @param {'users' | 'labels' | 'projects'} table
 */
export const existsIn = (database, table) => (/** @type {string | number} */ id) =>
  database.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== null;

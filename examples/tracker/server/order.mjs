// @ts-check
import { ApiError } from './validation.mjs';

/**
 * An order is the expressions that rows are sorted by, the last one unique.
 * @typedef {{ keys: readonly string[], descending?: boolean }} Order
 */

/** @type {Record<string, Order>} */
export const ORDERS = {
  newest: { keys: ['issues.id'], descending: true },
  updated: { keys: ['updated_at', 'issues.id'], descending: true },
  // 0 is "no priority" and comes last; 1 is "urgent".
  priority: { keys: ['priority = 0', 'priority', '-issues.id'] },
  title: { keys: ['title COLLATE NOCASE', 'issues.id'] },
};

/** @param {Order} order */
export const orderBy = ({ keys, descending }) =>
  keys.map((key) => `${key} ${descending ? 'DESC' : 'ASC'}`).join(', ');

/**
 * A cursor holds the sort keys of the last row of a page. Rows that are created or deleted meanwhile shift no page: an offset would
 * repeat a row or skip one.
 * @param {Order} order
 * @returns {string} the expression to select
 */
export const cursorColumn = ({ keys }) => `json_array(${keys.join(', ')}) AS cursor`;

/** @param {unknown} keys what `cursorColumn` gave */
export const toCursor = (keys) => Buffer.from(String(keys)).toString('base64url');

/**
 * The condition for rows behind a cursor, with the values that are bound to it.
 * @param {Order} order
 * @param {string} cursor
 * @returns {{ condition: string, values: (string | number)[] }}
 */
export function behind({ keys, descending }, cursor) {
  const values = parse(cursor);
  const isValue = (/** @type {unknown} */ value) =>
    typeof value === 'string' || typeof value === 'number';
  if (!Array.isArray(values) || values.length !== keys.length || !values.every(isValue)) {
    throw new ApiError(422, 'Query: after is no cursor of this order', {
      after: 'is no cursor of this order',
    });
  }
  const places = keys.map(() => '?').join(', ');
  return { condition: `(${keys.join(', ')}) ${descending ? '<' : '>'} (${places})`, values };
}

/** @param {string} cursor @returns {unknown} */
function parse(cursor) {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

// @ts-check
/** Checks of what clients send. Each gives the clean value or adds a message to `problems`. */

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'canceled'];
export const SORTS = ['newest', 'updated', 'priority', 'title'];
export const MAX_LIMIT = 200;

/** A failure that a client may read: becomes the JSON response `{ error, fields? }`. */
export class ApiError extends Error {
  /**
   * @param {400 | 404 | 413 | 415 | 422 | 500} status
   * @param {string} message
   * @param {Record<string, string>} [fields] by field name, what is wrong with it
   */
  constructor(status, message, fields) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** A mistake in one value; its message goes on from the name of the field. */
export class Problem extends Error {}

/**
 * @typedef {(value: unknown) => any} Check returns the value to store, or throws a `Problem`
 * @typedef {Record<string, Check>} Checks
 */

/**
 * Checks each member of `input`. Members without a check are refused, so that a misspelled one is not lost in silence.
 * @param {string} what names the record in the message
 * @param {unknown} input
 * @param {Checks} checks
 * @returns {Record<string, any>}
 */
export function validate(what, input, checks) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ApiError(400, `${what}: expected a JSON object`);
  }
  /** @type {Record<string, any>} */
  const values = {};
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [name, value] of Object.entries(input)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    try {
      if (check) values[name] = check(value);
      else fields[name] = 'is not known';
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      fields[name] = problem.message;
    }
  }
  if (Object.keys(fields).length > 0) throw invalid(what, fields);
  return values;
}

/** @param {string} what @param {Record<string, string>} fields */
export function invalid(what, fields) {
  const list = Object.entries(fields).map(([name, problem]) => `${name} ${problem}`);
  return new ApiError(422, `${what}: ${list.join(', ')}`, fields);
}

/**
 * Text with at least `min` characters that are not white space at its ends.
 * @param {number} min @param {number} max
 * @returns {Check}
 */
export const text = (min, max) => (value) => {
  if (typeof value !== 'string') throw new Problem('must be text');
  const trimmed = value.trim();
  if (trimmed.length < min) throw new Problem('must not be empty');
  if (trimmed.length > max) throw new Problem(`must have at most ${max} characters`);
  return trimmed;
};

/**
 * @param {readonly (string | number)[]} allowed
 * @returns {Check}
 */
export const oneOf = (allowed) => (value) => {
  if (!allowed.includes(/** @type {any} */ (value)))
    throw new Problem(`must be one of ${allowed.join(', ')}`);
  return value;
};

/**
 * The id of a record. Most are numbers, which a query can only give as text.
 * @param {(id: any) => boolean} exists
 * @param {(value: unknown) => unknown} read gives undefined for what can be no id
 * @returns {Check}
 */
export const idOf =
  (exists, read = wholeNumber) =>
  (value) => {
    const id = read(value);
    if (id === undefined || !exists(id)) throw new Problem('names nothing that exists');
    return id;
  };

/** @param {Check} check @returns {Check} */
export const orNull = (check) => (value) => (value === null ? null : check(value));

/** @param {Check} check @returns {Check} */
export const listOf = (check) => (value) => {
  if (!Array.isArray(value)) throw new Problem('must be a list');
  return [...new Set(value.map(check))];
};

/**
 * @param {number} min @param {number} max
 * @returns {Check}
 */
export const between = (min, max) => (value) => {
  const number = wholeNumber(value);
  if (number === undefined || number < min || number > max)
    throw new Problem(`must be between ${min} and ${max}`);
  return number;
};

/**
 * @param {unknown} value
 * @returns {number | undefined}
 */
export function wholeNumber(value) {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

// @ts-check
/** The measured rows, and their gates. */

/**
 * @typedef {object} Options
 * @property {import('../workload.mjs').Ids} ids
 * @property {boolean} isShort
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {'µs' | 'ms' | 'B'} [unit]
 * @property {[name: string, value: number][]} figures
 * @property {number} [judged] the ratio, or of heap the bytes, that the gate is about
 * @property {string} [of] which ratio
 * @property {number} [gate] what the ratio should not exceed
 * @property {number} [exact] what the first figure has to be
 */

/** The allowance for noise: a ratio fails above its gate times this. */
const MARGIN = 1.25;

/** @param {Row} row */
export function isFailed({ figures, judged, gate, exact }) {
  if (exact !== undefined) {
    return figures[0]?.[1] !== exact;
  }
  // A ratio that is no number fails, too.
  return gate !== undefined && !((judged ?? Number.NaN) <= gate * MARGIN);
}

/** @param {Row} row */
export function lineOf(row) {
  const { name, unit = '', figures, judged, gate, exact } = row;
  const values = figures.map(([what, value]) => `${what} ${digits(value)}`).join(', ');
  const isOver = judged !== undefined && gate !== undefined && judged > gate;
  const notes = [
    judged === undefined ? '' : digits(judged),
    gate === undefined ? '' : `gate ${gate}`,
    exact === undefined ? '' : `exactly ${exact}`,
    isOver ? 'MISSED' : '',
    isFailed(row) ? 'FAILED' : '',
  ];
  return `${name.padEnd(50)} ${`${values} ${unit}`.padEnd(52)} ${notes.filter(Boolean).join('  ')}`;
}

/** @param {number} value */
function digits(value) {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);
}

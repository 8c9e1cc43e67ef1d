/**
 * Cents as text.
 *
 * @param {number} cents
 */
export function money(cents) {
  return `€${(cents / 100).toFixed(2)}`;
}

import { isPlain } from './same.js';
import { setField } from './setField.js';

/**
 * Merges the default search parameters of an endpoint with the parameters of a call. A default that
 * is an object is merged, too, and `undefined` does not replace it:
 *
 * ```
 *   searchParams   { page: { size: 20 } }
 *   call           { page: { number: 2 } }
 *   request        { page: { size: 20, number: 2 } }
 * ```
 */
export function withSearchDefaults(
  defaults: object | undefined,
  params: object,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...defaults, ...params };
  for (const [name, value] of Object.entries(defaults ?? {})) {
    const given = all[name];
    if (isPlain(value) && (given === undefined || isPlain(given))) {
      setField(all, name, { ...value, ...given });
    }
  }
  return all;
}

import { isOneOf } from '../host/isOneOf.js';
import { entriesOfForm } from '../schema/formFields.js';
import { isObject } from '../schema/same.js';

// The types that `fetch` sends unchanged, in addition to strings and views of buffers.
const NATIVE = ['Blob', 'ArrayBuffer', 'FormData', 'URLSearchParams', 'ReadableStream'];

export function isNative(body: unknown): body is BodyInit {
  return typeof body === 'string' || ArrayBuffer.isView(body) || isOneOf(NATIVE, body);
}

/**
 * False for a text, a file, a form of React Native, or an array of operations (JSON Patch, RFC
 * 6902): the fields that they send are unknown.
 */
export function isReadable(body: unknown): boolean {
  return isNative(body) ? !!entriesOfForm(body)?.length : isObject(body) && !Array.isArray(body);
}

type Pair = readonly [name: string, value: string];

/** Leaves out headers without a value: `fetch` would send the text "undefined". */
function pairsOf(headers: HeadersInit | undefined): Pair[] {
  const pairs =
    Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(headers ?? {});
  return pairs.filter(([, value]: readonly [string, string | null | undefined]) => value != null);
}

/** Maps lower-case header names to their original spelling, which `Headers` does not keep. */
const spellingsOf = (pairs: readonly Pair[]): ReadonlyMap<string, string> =>
  new Map<string, string>(pairs.map(([name]) => [name.toLowerCase(), name]));

/** Keeps the spelling of the names. For duplicate names, the last value wins. */
export function joinHeaders(...all: readonly (HeadersInit | undefined)[]): Record<string, string> {
  const byName = new Map<string, Pair>();
  for (const pairs of all.map(pairsOf)) {
    const spellings = spellingsOf(pairs);
    for (const [name, value] of new Headers(pairs as [string, string][]))
      byName.set(name, [spellings.get(name) ?? name, value]);
  }
  return Object.fromEntries(byName.values());
}

/**
 * `fetch` would join the values of `X-Token` and `x-token`. A name that `getHeaders` returns with
 * capitals wins. A lower-case name is sent in its spelling in `given` (`requestInit.headers`).
 */
export function withoutDoubles(headers: HeadersInit, given: HeadersInit | undefined): HeadersInit {
  const pairs = pairsOf(headers);
  // In a list of pairs, a name can occur twice on purpose.
  if (Array.isArray(headers)) return pairs as [string, string][];
  const changed = pairs.filter(([name]) => name !== name.toLowerCase());
  const spellings = spellingsOf([...pairsOf(given), ...changed]);
  const spelled = ([name, value]: Pair): Pair => [spellings.get(name.toLowerCase()) ?? name, value];
  return Object.fromEntries([...pairs, ...changed].map(spelled));
}

export function initialHeaders(
  given: HeadersInit | undefined,
  isJson: boolean,
): Record<string, string> {
  return {
    ...(isJson && { 'content-type': 'application/json' }),
    ...Object.fromEntries(new Headers(pairsOf(given) as [string, string][])),
  };
}

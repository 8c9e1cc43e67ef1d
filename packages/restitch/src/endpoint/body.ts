// What `fetch` sends as it is, besides strings and views of buffers.
const NATIVE = ['Blob', 'ArrayBuffer', 'FormData', 'URLSearchParams', 'ReadableStream'];

/** Whether `fetch` sends a body as it is. */
export function isNative(body: unknown): body is BodyInit {
  return typeof body === 'string' || ArrayBuffer.isView(body) || isOneOf(NATIVE, body);
}

function isOneOf(names: readonly string[], body: unknown): boolean {
  const tag = Object.prototype.toString.call(body);
  return names.some((name) => {
    const type: unknown = Reflect.get(globalThis, name);
    // The tag knows objects of another window; React Native's have none.
    return tag === `[object ${name}]` || (typeof type === 'function' && body instanceof type);
  });
}

/** The part of a request that says its body; a stream needs more, which the types of `fetch` do not know yet. */
export const bodyInit = (body: BodyInit): RequestInit => ({
  body,
  ...(isOneOf(['ReadableStream'], body) && { duplex: 'half' }),
});

type Pair = readonly [name: string, value: string];

/** The headers that are given: `fetch` would send one that is undefined as the text "undefined". */
function pairsOf(headers: HeadersInit | undefined): Pair[] {
  const pairs =
    Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(headers ?? {});
  return pairs.filter(([, value]: readonly [string, string | null | undefined]) => value != null);
}

/** By the names in lower case, how they are spelled. `Headers` have lost that. */
const spellingsOf = (pairs: readonly Pair[]): ReadonlyMap<string, string> =>
  new Map(pairs.map(([name]) => [name.toLowerCase(), name]));

/** The headers of all, with the names as they are spelled; where several have one, the last does. */
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
 * Keeps one spelling of each header, since `fetch` would join the values of two by a comma. The names that `getHeaders` is
 * given are in lower case: another spelling is the user's own, and wins. One that is kept goes back to its spelling in
 * `given`.
 */
export function withoutDoubles(headers: HeadersInit, given: HeadersInit | undefined): HeadersInit {
  const pairs = pairsOf(headers);
  // A list may say a name twice.
  if (Array.isArray(headers)) return pairs as [string, string][];
  const spellings = spellingsOf(pairsOf(given));
  const byName = new Map<string, Pair>();
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if (name !== lower || !byName.has(lower))
      byName.set(lower, [name === lower ? (spellings.get(lower) ?? name) : name, value]);
  }
  return Object.fromEntries(byName.values());
}

/** The headers of a request before `getHeaders` sees them: a plain object with lower-case names. */
export function initialHeaders(
  given: HeadersInit | undefined,
  isJson: boolean,
): Record<string, string> {
  const headers = Object.fromEntries(new Headers(pairsOf(given) as [string, string][]));
  return isJson ? { 'content-type': 'application/json', ...headers } : headers;
}

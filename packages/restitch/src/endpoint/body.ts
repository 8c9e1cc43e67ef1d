/** A body as `fetch` takes it. */
export interface EncodedBody {
  readonly body: BodyInit;
  /** Whether it was encoded as JSON, so that a content-type has to be said. */
  readonly json: boolean;
}

// What `fetch` sends as it is, besides strings and views of buffers.
const NATIVE = ['Blob', 'ArrayBuffer', 'FormData', 'URLSearchParams', 'ReadableStream'];

function isNative(body: unknown): body is BodyInit {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return true;
  const tag = Object.prototype.toString.call(body);
  return NATIVE.some((name) => {
    const type: unknown = Reflect.get(globalThis, name);
    // The tag knows objects of another window; React Native's have none.
    return tag === `[object ${name}]` || (typeof type === 'function' && body instanceof type);
  });
}

/** Encodes a body: native bodies pass through, everything else becomes JSON. Undefined when there is nothing to send. */
export function encodeBody(body: unknown): EncodedBody | undefined {
  if (isNative(body)) return { body, json: false };
  // `undefined`, functions and symbols have no JSON; the declared type says otherwise.
  const text = JSON.stringify(body) as string | undefined;
  return text === undefined ? undefined : { body: text, json: true };
}

const CONTENT_TYPE = 'content-type';

/**
 * Keeps one spelling of each header, since `fetch` would join the values of two by a comma. The names that `getHeaders` is
 * given are in lower case: another spelling is the user's own, and wins.
 */
export function withoutDoubles(headers: HeadersInit): HeadersInit {
  if (headers instanceof Headers || Array.isArray(headers)) return headers;
  const byName = new Map<string, readonly [string, string]>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (name !== lower || !byName.has(lower)) byName.set(lower, [name, value]);
  }
  return Object.fromEntries(byName.values());
}

/** The headers of a request before `getHeaders` sees them: a plain object with lower-case names. */
export function initialHeaders(
  given: HeadersInit | undefined,
  encoded: EncodedBody | undefined,
): Record<string, string> {
  const headers = Object.fromEntries(new Headers(given));
  return encoded?.json ? { [CONTENT_TYPE]: 'application/json', ...headers } : headers;
}

import { NetworkError } from '../errors/NetworkError.js';
import { isDevelopment } from '../errors/development.js';
import { connected } from './connectionErrors.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The format in which a response body is read. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface Reading {
  readonly content?: Content | undefined;
  readonly schema?: unknown;
  readonly name: string;
}

/** The status of the error for an unusable response with an ok status. */
const MALFORMED = 400;

// Office documents (`application/vnd.openxmlformats-…`) and `image/svg+xml` do not match. They are
// read as a Blob.
const TEXT_TYPE =
  /^[^;]*json|^text\/|^application\/([\w.-]+\+)?(x-)?(xml|yaml|javascript|graphql|www-form-urlencoded)\b/;

// Many documents in one body, usually one per line, such as `application/x-ndjson`.
const MANY_JSON = /\bnd-?json|json-?(l(ines)?\b|seq|stream)|stream\+json/;

export const typeOf = ({ headers }: Response): string =>
  headers.get('content-type')?.toLowerCase() ?? '';

export const isJson = (type: string): boolean => /^[^;]*json/.test(type) && !MANY_JSON.test(type);

export const isText = (type: string): boolean => !type || TEXT_TYPE.test(type);

function startOf(text: string): string | undefined {
  // In production, the function returns nothing, so bundlers remove it.
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  }
  return;
}

function nameOf(schema: unknown): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    if (typeof schema === 'function') return schema.name;
    if (Array.isArray(schema)) return `[${schema.map(nameOf).join()}]`;
    const { schema: members, entity = members } = schema as {
      readonly schema?: unknown;
      readonly entity?: unknown;
    };
    return entity ? nameOf(entity) : `{ ${Object.keys(schema as object).join(', ')} }`;
  }
  return;
}

function parseJson(text: string, response: Response, name: string, isUnread?: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isUnread) return text;
    // The cast: `JSON.parse` throws no other error.
    const cause = error as SyntaxError;
    cause.message = isDevelopment
      ? `${name}: the response of ${response.url} is not JSON (${cause.message}). It starts with ${startOf(text)}`
      : `${name}: ${response.url}: ${cause.message}`;
    throw Object.assign(cause, { status: MALFORMED, code: 'response-not-json' });
  }
}

function remedyFor(type: string, text: string): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    return /html/.test(type) || /^\s*<(!doctype|html)/i.test(text)
      ? ' This is a web page: check the path, and whether a login is needed.'
      : MANY_JSON.test(type)
        ? ' It contains many documents: split it in `parseResponse`.'
        : /^\s*[[{]/.test(text)
          ? " It looks like JSON: correct the server's header, or set `content: 'json'`."
          : isText(type)
            ? ' Set `schema: undefined` to get the text.'
            : " Set `schema: undefined` and `content: 'blob'`.";
  }
  return;
}

export function contentConflict(reading: Reading): string | undefined {
  const { content } = reading;
  // Constructors call this function before the class fields of subclasses are set. `schema` binds its
  // lists when it is read, so it is read only if `content` excludes a schema.
  if (!content || content === 'json' || reading.schema == null) return undefined;
  const { name, schema } = reading;
  return isDevelopment
    ? `${name}: \`content: '${content}'\` is incompatible with a schema (${nameOf(schema)}). Set \`schema: undefined\`.`
    : `${name}: content`;
}

export async function readResponse(response: Response, reading: Reading): Promise<unknown> {
  const { status, url } = response;
  if (status === 204 || status === 205) return null;
  const { content, schema, name } = reading;
  const fail = (code: string, message: string): NetworkError =>
    new NetworkError(response, { code, message, status: MALFORMED });
  const conflict = contentConflict(reading);
  if (conflict) throw fail('content-with-schema', conflict);

  // The cast: `resource().delete` sets `$unread`, because the response of a delete is not needed.
  // Without `$unread`, a response such as "OK" would fail a delete that the server has executed.
  const isUnread = (schema as { readonly $unread?: boolean } | null | undefined)?.$unread;
  const type = content ? '' : typeOf(response);
  const plain = schema == null || isUnread ? (isText(type) ? 'text' : 'blob') : undefined;
  const format = content ?? (isJson(type) ? 'json' : plain);
  if (format === 'stream') return response.body;
  if (format && format !== 'json') {
    const value = await connected<unknown>(response[format]());
    // A Blob has a `size`, an ArrayBuffer a `byteLength`, and a text a `length`.
    const { size, byteLength, length } = value as {
      size?: number;
      byteLength?: number;
      length?: number;
    };
    return size || byteLength || length ? value : null;
  }
  // Without a format, only an empty body is accepted. A clone is read in this case, so that a
  // handler of the error can still read the body.
  const text = await connected((format ? response : response.clone()).text());
  if (!text) return null;
  if (format) return parseJson(text, response, name, isUnread);
  throw fail(
    'response-not-json',
    isDevelopment
      ? `${name}: the schema ${nameOf(schema)} needs JSON, but ${url} sent status ${status}, content-type ${type || '(none)'}, ` +
          `starting with ${startOf(text)}.${remedyFor(type, text)}`
      : `${name}: ${url}: ${status} ${type}`,
  );
}

const LONGEST_BODY = 65_536;

/** Reading the body frees its connection. A stream over the limit is canceled. */
export async function withBody(
  error: NetworkError,
  signal: AbortSignal | null | undefined,
): Promise<NetworkError> {
  const { response } = error;
  if (error.body !== undefined || response.bodyUsed) return error;
  try {
    // React Native has no streams. There, the body has already arrived.
    const reader = response.clone().body?.getReader();
    for (let bytes = 0; reader;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > LONGEST_BODY) {
        // The connection is closed only if the response and its clone are both canceled.
        await Promise.all([reader.cancel(), response.body?.cancel()]);
        const { url } = response;
        error.response = Object.defineProperty(new Response(null, response), 'url', { value: url });
        return error;
      }
    }
    const type = typeOf(response);
    const text = await response.clone().text();
    error.body = (isText(type) && text) || undefined;
    if (isJson(type)) error.body = JSON.parse(text);
  } catch (failure) {
    // An abort ends the request. Other failures, such as invalid JSON, are ignored.
    if (signal?.aborted) throw failure;
  }
  return error;
}

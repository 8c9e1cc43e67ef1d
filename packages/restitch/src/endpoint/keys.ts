import { isDevelopment } from '../errors/development.js';
import { isNative } from './body.js';
import { misuse } from '../errors/misuse.js';
import { canonicalText, sortMembers } from '../schema/argText.js';
import { prefixOf, serverOf, type Housed } from './home.js';
import { canonicalUrl } from './search.js';

export { hasStandardKey, noteStandardKey } from '../schema/alike.js';

/**
 * The format of cache keys, which only this module defines. Endpoints with equal keys share results
 * if they process responses in the same way.
 *
 * ```text
 *   GET https://host/users/1?a=b      method and URL; the query is sorted
 *   POST "api"/search⏎{"q":"x"}       a read with a body: the body too; the `service`
 *                                     replaces the prefix
 *   "ada" GET /users/1                an endpoint with a scope: see `hookifyResource`
 *   getTime ["Europe/Paris"]          a function endpoint: its name, or a text that
 *                                     identifies it, and the arguments
 * ```
 */

/** Separates the URL from the body. Neither contains it. */
export const BODY = '\n';

/** Returns the start of the cache keys of an endpoint with a scope, or an empty text. */
export function scopePrefix({ scope }: Housed): string {
  return scope === undefined ? '' : `${JSON.stringify(scope)} `;
}

/** Returns the cache key of a request. An undefined `body` is not part of the key. */
export function requestKey(
  endpoint: Housed & { readonly method: string; readonly name: string },
  url: string,
  body?: unknown,
): string {
  const prefix = prefixOf(endpoint);
  const isBelowPrefix = endpoint.service !== undefined && url.startsWith(prefix);
  const place = isBelowPrefix ? serverOf(endpoint) + url.slice(prefix.length) : url;
  const text = body === undefined ? '' : BODY + bodyText(body, endpoint.name);
  return `${scopePrefix(endpoint)}${endpoint.method} ${canonicalUrl(place)}${text}`;
}

/** Returns a body as it is sent, with sorted members. */
function bodyText(body: unknown, name: string): string {
  if (typeof body !== 'string' && isNative(body)) {
    const message = isDevelopment
      ? `${name}: a ${Object.prototype.toString.call(body).slice(8, -1)} as the body of a read does not identify it: override \`key\`.`
      : name;
    throw misuse('body-without-key', message);
  }
  // Parsed, because members of other objects, such as `new Number(1)`, are not what JSON sends.
  const sent = JSON.stringify(body);
  return JSON.stringify(sent && JSON.parse(sent), sortMembers);
}

/**
 * Returns the arguments of a function endpoint as text. With side effects they identify no result,
 * so unsupported arguments are allowed.
 */
export function argsText(args: readonly unknown[], hasSideEffect: boolean): string {
  try {
    return canonicalText(args);
  } catch (error) {
    if (hasSideEffect) return '[]';
    throw error;
  }
}

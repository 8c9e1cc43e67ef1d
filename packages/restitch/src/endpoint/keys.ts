import { isDevelopment } from '../errors/development.js';
import { isNative } from './body.js';
import { misuse } from '../errors/misuse.js';
import { canonicalText, sortMembers } from '../schema/argText.js';
import { prefixOf, serverOf, type Housed } from './home.js';
import { canonicalUrl } from './search.js';

/**
 * The one owner of the format of cache keys. Equal keys of endpoints that make the same of a response are one question.
 *
 * ```text
 *   GET https://host/users/1?a=b      method and URL, the query sorted
 *   POST "api"/search⏎{"q":"x"}       of a read with a body also that; a `service` in place of the prefix
 *   "ada" GET /users/1                of one user's endpoint: see `hookifyResource`
 *   getTime ["Europe/Paris"]          of a function endpoint its name, else what stands for it, and the arguments
 * ```
 */

/** Between the URL and the body, since neither holds it. */
export const BODY = '\n';

/** What comes before the keys of an endpoint that is one user's; nothing for any other. */
export function scopePrefix({ scope }: Housed): string {
  return scope === undefined ? '' : `${JSON.stringify(scope)} `;
}

/** The key of a request; `body` is undefined where it does not identify one. */
export function requestKey(
  endpoint: Housed & { readonly method: string; readonly name: string },
  url: string,
  body?: unknown,
): string {
  const prefix = prefixOf(endpoint);
  const isServed = endpoint.service !== undefined && url.startsWith(prefix);
  const place = isServed ? serverOf(endpoint) + url.slice(prefix.length) : url;
  const text = body === undefined ? '' : BODY + bodyText(body, endpoint.name);
  return `${scopePrefix(endpoint)}${endpoint.method} ${canonicalUrl(place)}${text}`;
}

/** A body as it is sent, with its members in order. */
function bodyText(body: unknown, name: string): string {
  if (typeof body !== 'string' && isNative(body)) {
    const message = isDevelopment
      ? `${name}: a ${Object.prototype.toString.call(body).slice(8, -1)} as the body of a read does not identify it: override \`key\`.`
      : name;
    throw misuse('body-without-key', message);
  }
  return JSON.stringify(body, sortMembers);
}

/** The arguments of a function endpoint as text. Of one with side effects they identify nothing, so anything will do. */
export function argsText(args: readonly unknown[], hasSideEffect: boolean): string {
  try {
    return canonicalText(args);
  } catch (error) {
    if (hasSideEffect) return '[]';
    throw error;
  }
}

import { isDevelopment } from '../errors/development.js';
import { isNative } from './requestBody.js';
import { misuse } from '../errors/RestitchError.js';
import { canonicalText, sortMembers } from '../schema/argText.js';
import { prefixOf, serverOf, type Housed } from './serverText.js';
import { canonicalUrl } from './search.js';
import type { Token } from 'path-to-regexp';
import { splitQuery } from '../host/url.js';
import type { PathTemplate } from './path.js';

export { hasStandardKey, noteStandardKey } from '../schema/sameProcessing.js';

/**
 * The format of cache keys. Endpoints with equal keys share results if they process responses in
 * the same way.
 *
 * ```text
 *   GET https://host/users/1?a=b      method and URL; the query is sorted
 *   POST "api"/search⏎{"q":"x"}       a read with a body: method, URL and body; here, the
 *                                     `service` "api" replaces the prefix of the URL
 *   "ada" GET /users/1                an endpoint with a scope: see `hookifyResource`
 *   getTime ["Europe/Paris"]          a function endpoint: its name, or a text that
 *                                     identifies it, and the arguments
 * ```
 */

/** Separates the URL from the body. Neither contains this text. */
export const BODY = '\n';

export function scopePrefix({ scope }: Housed): string {
  return scope === undefined ? '' : `${JSON.stringify(scope)} `;
}

export function requestKey(
  endpoint: Housed & { readonly method: string; readonly name: string },
  url: string,
  body?: unknown,
): string {
  const prefix = prefixOf(endpoint);
  const isBelowPrefix = url.startsWith(prefix);
  const place = isBelowPrefix ? serverOf(endpoint) + url.slice(prefix.length) : url;
  const text = body === undefined ? '' : BODY + bodyText(body, endpoint.name);
  return `${scopePrefix(endpoint)}${endpoint.method} ${canonicalUrl(place)}${text}`;
}

function bodyText(body: unknown, name: string): string {
  if (typeof body !== 'string' && isNative(body)) {
    const message = isDevelopment
      ? `${name}: a ${Object.prototype.toString.call(body).slice(8, -1)} as the body of a read cannot identify its result. Override \`key\`.`
      : name;
    throw misuse('body-without-key', message);
  }
  // The JSON is parsed again, because it can differ from the object: a date becomes a text.
  const sent = JSON.stringify(body);
  return JSON.stringify(sent && JSON.parse(sent), sortMembers);
}

/** A mutation may have functions as arguments, because no data is stored under its key. */
export function argsText(args: readonly unknown[], hasSideEffect: boolean): string {
  try {
    return canonicalText(args);
  } catch (error) {
    if (hasSideEffect) return '[]';
    throw error;
  }
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * The query of a key is sorted, so search parameters can stand between the pairs of the template:
 * `/a?x=1&z=2` with `{ y: 5 }` has the key `/a?x=1&y=5&z=2`. Each pair is matched separately.
 */
export function keyTest(prefix: string, template: PathTemplate): (key: string) => boolean {
  let inQuery = false;
  const write = (tokens: readonly Token[]): string => {
    let source = '';
    for (const token of tokens) {
      if (token.type === 'group') {
        const wasInQuery = inQuery;
        const group = write(token.tokens);
        // An optional group in the query is not tested, because its pairs can be absent.
        if (!wasInQuery && !inQuery) source += `(?:${group})?`;
      } else if (token.type === 'text') {
        source += escapeText(token.value);
        inQuery ||= token.value.includes('?');
      } else {
        source += token.type === 'param' ? '[^/?]+' : '[^?]+';
      }
    }
    return source;
  };
  const source = escapeText(prefix) + write(template.tokens);
  const [path = '', query = ''] = source.split(/\\\?(.*)/s, 2);
  const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
  const pathPattern = whole(path);
  const pairPatterns = query.split('&').filter(Boolean).map(whole);
  return (key) => {
    const [url = ''] = key.split(BODY, 1);
    const [keyPath, ...keyPairs] = splitQuery(url);
    return (
      pathPattern.test(keyPath) &&
      pairPatterns.every((pattern) => keyPairs.some((pair) => pattern.test(pair)))
    );
  };
}

import type { Token } from 'path-to-regexp';
import { BODY } from './keys.js';
import { splitQuery } from '../host/url.js';
import type { PathTemplate } from './path.js';

// An `&` stays, because the query is split there.
const escapeText = (text: string): string => text.replace(/[^\w&]/g, '\\$&');

/**
 * Returns a test for the cache keys of one endpoint with any arguments.
 *
 * @param prefix The text before the path.
 * @remarks The path of the key has to match the template. The template's query can appear in
 * another order, mixed with search parameters. Each of its required pairs is therefore matched
 * separately.
 */
export function keyTest(prefix: string, template: PathTemplate): (key: string) => boolean {
  let inQuery = false;
  const write = (tokens: readonly Token[]): string => {
    let source = '';
    for (const token of tokens) {
      if (token.type === 'group') {
        const wasInQuery = inQuery;
        const group = write(token.tokens);
        // Optional pairs of the query can be absent. A group that starts the query adds nothing to
        // the path.
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

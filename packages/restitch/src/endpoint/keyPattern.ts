import type { Token } from 'path-to-regexp';
import { BODY } from './keys.js';
import { splitQuery } from '../host/url.js';
import type { PathTemplate } from './path.js';

const BODY_PART = new RegExp(`${BODY}.*`, 's');

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Makes a test for the keys of one endpoint, whatever the arguments were.
 *
 * @param prefix What comes before the path.
 * @remarks The path has to fit the template. The template's query may come back in another order and joined by search
 * parameters, so each of its pairs that is not optional is looked for on its own.
 */
export function keyTest(prefix: string, template: PathTemplate): (key: string) => boolean {
  let inQuery = false;
  const write = (tokens: readonly Token[]): string => {
    let source = '';
    for (const token of tokens) {
      if (token.type === 'group') {
        const wasInQuery = inQuery;
        const group = write(token.tokens);
        // Optional pairs of the query need not be there; a group that starts the query says nothing about the path.
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
    const [keyPath, ...keyPairs] = splitQuery(key.replace(BODY_PART, ''));
    return (
      pathPattern.test(keyPath) &&
      pairPatterns.every((pattern) => keyPairs.some((pair) => pattern.test(pair)))
    );
  };
}

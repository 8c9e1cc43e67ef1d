import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/RestitchError.js';
import { encodeText, joinQuery, splitQuery } from '../host/url.js';
import { type Housed, prefixOf } from './serverText.js';
import { parse, type Token } from 'path-to-regexp';

export interface PathTemplate {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly names: ReadonlySet<string>;
  /** True if a placeholder is outside every optional group. */
  readonly hasRequired: boolean;
}

export type UnknownParams = Readonly<Record<string, unknown>>;

// Marks the start of every value while `buildUrl` looks for values such as `..`. Neither templates
// nor percent-encoded values contain this character.
const VALUE = '\0';

// Dot segments, percent-encoded or not: a URL parser resolves them as directories.
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;

// Matches `//host` and `https://host`, also with an escaped colon or with backslashes as slashes.
const HAS_HOST = /^([a-z][\w+.-]*\\?:)?[/\\]{2}/i;

/** Unlike in path-to-regexp, a literal `?` needs no backslash: it starts a query. */
export function parsePath(source: string, owner: string): PathTemplate {
  try {
    const { tokens } = parse(source.replace(/\\.|\?/gs, (text) => (text === '?' ? '\\?' : text)));
    return {
      source,
      tokens,
      names: new Set(namesIn(tokens)),
      hasRequired: tokens.some((token) => 'name' in token),
    };
  } catch (cause) {
    const message = isDevelopment
      ? `${owner}: the path \`${source}\` cannot be read.${source.replace(
          /^([a-z][\w+.-]*:\/\/[^/?]*)?.*/is,
          (_, origin?: string) =>
            origin
              ? ` Set \`urlPrefix: '${origin}'\`, or write \`\\\\:\` for a colon that starts no parameter.`
              : ` ${String(cause)}.`,
        )}`
      : `${owner}: ${source}`;
    throw misuse('path-template', message, { cause });
  }
}

const namesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) =>
    token.type === 'group' ? namesIn(token.tokens) : token.type === 'text' ? [] : token.name,
  );

const templates = new WeakMap<object, PathTemplate>();

export function templateOf(endpoint: {
  readonly path?: string | undefined;
  readonly name: string;
}): PathTemplate | undefined {
  const { path } = endpoint;
  let template = templates.get(endpoint);
  // A class field sets `path` after the base constructor, so the template can be outdated.
  if (path !== undefined && template?.source !== path) {
    template = parsePath(path, endpoint.name);
    templates.set(endpoint, template);
  }
  return template;
}

/** @throws TypeError for a missing value, an object, or a value that changes the URL structure. */
export function buildUrl(
  endpoint: Housed & { readonly name: string },
  template: PathTemplate,
  params: UnknownParams,
  search: string,
): string {
  const prefix = prefixOf(endpoint);
  let url = prefix;
  const fail = (name: string, problem: string): never => {
    const message = isDevelopment
      ? `${endpoint.name}: the path parameter \`${name}\` of \`${template.source}\` ${problem}.`
      : `${endpoint.name}: ${name}`;
    throw misuse('path-parameter', message);
  };

  // Returns false for an optional group without a value.
  const write = (tokens: readonly Token[], optional: boolean): boolean => {
    for (const token of tokens) {
      if (token.type === 'text') {
        url += token.value;
      } else if (token.type === 'group') {
        const before = url;
        if (!write(token.tokens, true)) url = before;
      } else {
        const { name, type } = token;
        const isWildcard = type === 'wildcard';
        const value = params[name];
        const parts = value == null ? [] : isWildcard ? value : [value];
        if (!Array.isArray(parts))
          return fail(name, isDevelopment ? 'must be an array of segments' : '');
        if (!parts.length) return !optional && fail(name, isDevelopment ? 'is missing' : '');
        // Only in the query can a value be empty.
        const mayBeEmpty = optional && !isWildcard && url.includes('?');
        for (const part of parts) {
          const isEmpty = part === '' && !mayBeEmpty;
          if (isEmpty || /object|function|symbol/.test(typeof part))
            fail(
              name,
              isDevelopment ? (isEmpty ? 'is empty' : 'must be a string or a number') : '',
            );
        }
        url += parts.map((part) => VALUE + encodeText(part)).join('/');
      }
    }
    return true;
  };

  write(template.tokens, false);
  const [path, ...pairs] = splitQuery(`${url}${url.includes('?') ? '&' : '?'}${search}`);
  const all = [...template.names].join('`, `');
  for (const segment of path.split(/[/\\]/)) {
    const plain = segment.replaceAll(VALUE, '');
    if (plain !== segment && DOT_SEGMENT.test(plain))
      fail(all, isDevelopment ? `would leave the path: \`${plain}\`` : '');
  }
  // If `a` is omitted, `/{:a}/:b` begins with two slashes, so the value of `b` would be a host.
  if (HAS_HOST.test(path) && !HAS_HOST.test((prefix + template.source).replace(/[{}]/g, ''))) {
    fail(all, isDevelopment ? 'would name a host: put the slash into the optional group' : '');
  }
  return joinQuery(path, pairs).replaceAll(VALUE, '');
}

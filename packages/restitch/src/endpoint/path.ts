import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/misuse.js';
import { encodeText, joinQuery, splitQuery } from '../host/url.js';
import { parse, type Token } from 'path-to-regexp';

/** A parsed `path` option. */
export interface PathTemplate {
  /** The template as it was written. */
  readonly source: string;
  readonly tokens: readonly Token[];
  /** Names of all placeholders, the optional ones included. */
  readonly names: ReadonlySet<string>;
  /** Whether some placeholder stands outside of every optional group. */
  readonly hasRequired: boolean;
}

/** Call arguments by name, before they are known to be usable. */
export type UnknownParams = Readonly<Record<string, unknown>>;

// Precedes every value while a URL is put together, so that text and values can be told apart afterwards. Templates cannot
// sensibly hold it and values are percent-encoded.
const VALUE = '\0';

// What a URL parser takes for "this directory" or "the directory above", percent-encoded or not.
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;

// `//host` or `https://host`; in a template the colon may be escaped. A backslash counts as a slash in URLs.
const HAS_HOST = /^([a-z][\w+.-]*\\?:)?[/\\]{2}/i;

const HOST_ALONE = /^([a-z][\w+.-]*:)?\/\/[^/?#]+$/i;

/**
 * Parses a path template.
 *
 * @remarks The syntax is that of path-to-regexp, except that a literal `?` needs no backslash: it starts a query.
 * @param owner Names the endpoint in the error message.
 * @throws TypeError when the template is malformed.
 */
export function parsePath(source: string, owner: string): PathTemplate {
  const tokens = parseTokens(source, owner);
  return {
    source,
    tokens,
    names: new Set(namesIn(tokens)),
    hasRequired: tokens.some((token) => 'name' in token),
  };
}

const namesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) =>
    token.type === 'group' ? namesIn(token.tokens) : token.type === 'text' ? [] : token.name,
  );

const templates = new WeakMap<object, PathTemplate>();

/** The parsed path of an endpoint. */
export function templateOf(endpoint: {
  readonly path?: string | undefined;
  readonly name: string;
}): PathTemplate | undefined {
  const { path } = endpoint;
  let template = templates.get(endpoint);
  // A path that is a class field is there only once the endpoint is constructed.
  if (path !== undefined && template?.source !== path) {
    template = parsePath(path, endpoint.name);
    templates.set(endpoint, template);
  }
  return template;
}

function parseTokens(source: string, owner: string): readonly Token[] {
  try {
    return parse(source.replace(/\\.|\?/gs, (text) => (text === '?' ? '\\?' : text))).tokens;
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

/**
 * The prefix as it stands before a path: with one slash between them where both bring one, or where the path would else
 * become a part of the host.
 */
export function prefixFor(prefix: string, path: string): string {
  if (/^(\{\/[^{}]*\})*(\/|(?<=.)$)/.test(path)) return prefix.replace(/\/$/, '');
  return HOST_ALONE.test(prefix) && /^\{*[^{/?]/.test(path) ? `${prefix}/` : prefix;
}

/**
 * Fills a template in.
 *
 * @param search Comes after the template's own query.
 * @param owner Names the endpoint in error messages.
 * @throws TypeError when a required value is missing, empty, no text or number, or would change the shape of the URL.
 */
export function buildUrl(
  prefix: string,
  template: PathTemplate,
  params: UnknownParams,
  search: string,
  owner: string,
): string {
  let inQuery = prefix.includes('?');
  const fail = (name: string, problem: string): never => {
    const message = isDevelopment
      ? `${owner}: the path parameter \`${name}\` of \`${template.source}\` ${problem}.`
      : `${owner}: ${name}`;
    throw misuse('path-parameter', message);
  };

  // Gives undefined for an optional group that lacks a value.
  const write = (tokens: readonly Token[], optional: boolean): string | undefined => {
    let text = '';
    for (const token of tokens) {
      if (token.type === 'text') {
        text += token.value;
        inQuery ||= token.value.includes('?');
      } else if (token.type === 'group') {
        const before = inQuery;
        const group = write(token.tokens, true);
        if (group === undefined) inQuery = before;
        else text += group;
      } else {
        const { name, type } = token;
        const isWildcard = type === 'wildcard';
        const value = params[name] ?? [];
        if (isWildcard && !Array.isArray(value))
          fail(name, isDevelopment ? 'must be an array of segments' : '');
        const parts: readonly unknown[] =
          isWildcard || params[name] == null ? (value as unknown[]) : [value];
        if (!parts.length)
          return optional ? undefined : fail(name, isDevelopment ? 'is missing' : '');
        for (const part of parts) {
          if (/object|function|symbol/.test(typeof part))
            fail(name, isDevelopment ? 'must be a string or a number' : '');
          if (part === '' && (isWildcard || !optional || !inQuery))
            fail(name, isDevelopment ? 'is empty' : '');
        }
        text += parts.map((part) => VALUE + encodeText(part)).join('/');
      }
    }
    return text;
  };

  const url = prefix + write(template.tokens, false);
  const [path, ...pairs] = splitQuery(`${url}${url.includes('?') ? '&' : '?'}${search}`);
  const all = [...template.names].join('`, `');
  for (const segment of path.split(/[/\\]/)) {
    const plain = segment.replaceAll(VALUE, '');
    if (plain !== segment && DOT_SEGMENT.test(plain))
      fail(all, isDevelopment ? `would leave the path: \`${plain}\`` : '');
  }
  // A group dropped from `/{:a}/:b` leaves `//b`, where the value would name another host.
  if (HAS_HOST.test(path) && !HAS_HOST.test((prefix + template.source).replace(/[{}]/g, ''))) {
    fail(all, isDevelopment ? 'would name a host: put the slash into the optional group' : '');
  }
  return joinQuery(path, pairs).replaceAll(VALUE, '');
}

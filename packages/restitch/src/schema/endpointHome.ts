import { joinQuery, splitQuery } from '../host/url.js';
import { hasStandardKey, isExtra } from './sameProcessing.js';
import { canonicalText, hasNames } from './argText.js';
import { type Identified, type Made, ownName } from './identityText.js';
import { withSearchDefaults } from './withSearchDefaults.js';

type Params = Readonly<Record<string, unknown>>;
type Text = (params: Params) => string;

export interface Housed extends Identified {
  readonly path?: string | undefined;
  readonly scope?: string | undefined;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string | undefined;
  readonly searchParams?: object | undefined;
  readonly url?: unknown;
  readonly searchToString?: unknown;
  /** The methods of the built-in class. A method of the endpoint that differs is custom. */
  readonly $base?: Readonly<Record<'url' | 'searchToString', Text>>;
  readonly $names?: Iterable<string>;
  readonly $server?: string;
  /** Returns the index of the body in the arguments of a call, or -1 without a body. */
  readonly $bodyAt?: (args: readonly unknown[]) => number;
  /** Called instead of `addedPairs`, if it exists. Only axios endpoints have it. */
  readonly $added?: () => readonly string[];
  /** Set by axios endpoints: adds the `params` of `axiosConfig` to the arguments of a call. */
  readonly $said?: (args: readonly unknown[]) => readonly unknown[];
}

/** Captures escaped characters, because an escaped `?` starts no query. */
const QUERY = /(\\.)|\{?\?.*/gs;
const BETWEEN_PAIRS = /[?&{}]+/;

/**
 * Returns the place of an endpoint: a text that is stored with its lists and identifies them.
 *
 * ```
 *   GET  '/users?role=admin&team=:team'  ──▶  'https://host/users?role=admin'
 *   POST '/users?role=admin&team=:team'  ──▶  'POST https://host/users?role=admin'
 *   no path, name 'getUsers'             ──▶  'getUsers()'
 *   no path, no name                     ──▶  '#3()', a number for the endpoint
 * ```
 */
export function placeOf(endpoint: Housed): string {
  const { path, url, method } = endpoint;
  // The cast: only built-in endpoints bind lists and get here. They all have `$made`.
  const made = endpoint.$made as Made;
  if (path === undefined) {
    return `${ownName(made)}()`;
  }
  const text = path.includes('?') ? path.replace(QUERY, '$1') : path;
  // The values of placeholders are arguments, so pairs such as `team=:team` are left out.
  const pairs = path.slice(text.length).split(BETWEEN_PAIRS);
  const constants = pairs.filter((pair) => pair && !/(?<!\\)[:*]/.test(pair));
  const self: Housed = made.self;
  const added = self.$added?.() ?? addedPairs(self);
  const query = [...constants, ...added].sort();
  const verb = method === 'GET' ? '' : `${method} `;
  const place = verb + endpoint.$server + joinQuery(text, query);
  if (url === endpoint.$base?.url) {
    return place;
  }
  // A custom `url()` can read a custom option, such as `tenant`. Without this option in the place,
  // two tenants would share their lists.
  const extras = Object.keys(endpoint)
    .filter(isExtra)
    .map((name): [string, unknown] => [name, Reflect.get(endpoint, name)])
    .filter(([, value]) => !/object|function/.test(typeof value));
  return extras.length > 0 ? place + canonicalText(Object.fromEntries(extras)) : place;
}

/** The pairs, such as `lang=en`, that a custom `url` or `searchToString` adds to each query. */
export function addedPairs(
  endpoint: Housed,
  isStandardKey: boolean = hasStandardKey(endpoint),
): readonly string[] {
  // The cast: an endpoint with `$base` has the methods of `$base`.
  const { $base: base, url, searchToString } = endpoint as Required<Housed>;
  const isOwn = url !== base?.url || searchToString !== base?.searchToString;
  // With a custom `key`, a pair can differ in each call, so no pair counts as constant.
  if (!isOwn || !isStandardKey) {
    return [];
  }
  try {
    const params = Object.fromEntries(Array.from(endpoint.$names ?? [], (name) => [name, name]));
    const pairsOf = (method: unknown): string[] =>
      splitQuery((method as Text).call(endpoint, params)).slice(1);
    const standard = pairsOf(base.url);
    return [
      ...splitQuery(`?${(searchToString as Text).call(endpoint, {})}`).slice(1),
      ...pairsOf(url).filter((pair) => !standard.includes(pair)),
    ];
  } catch {
    // The custom method failed, because it needs more parameters than the path has.
    return [];
  }
}

/** `joins` is true if the collection joins the arguments into one object. */
export function completeArgs(
  endpoint: Housed,
  args: readonly unknown[],
  joins: boolean,
): readonly unknown[] {
  const written = writtenArgs(endpoint, args, joins);
  return endpoint.$said?.(written) ?? written;
}

function writtenArgs(
  endpoint: Housed,
  args: readonly unknown[],
  joins: boolean,
): readonly unknown[] {
  const { $base: base, searchToString, searchParams } = endpoint;
  if (!base) {
    return args;
  }
  const isBody = endpoint.$bodyAt?.(args) === 0;
  // Empty parameters are put before a body, because `(body)` is the same request as `({}, body)`.
  const [first, ...rest] = isBody && joins ? [undefined, ...args] : args;
  const isWhole = isBody && !joins;
  if (isWhole && !hasNames(first)) {
    return args;
  }
  const params = withSearchDefaults(searchParams, Object(first) as object);
  if (isWhole || searchToString !== base.searchToString) {
    return [params, ...rest];
  }
  // Parameters get the form that they have in the URL: `['a']` becomes `'a'`, and `[]` is left out.
  const written = Object.entries<unknown>(params).flatMap(([name, value]) => {
    const items = [value].flat().filter((item) => item != null);
    return items.length > 0 ? [[name, items.length > 1 ? items : items[0]] as const] : [];
  });
  return [Object.fromEntries(written), ...rest];
}

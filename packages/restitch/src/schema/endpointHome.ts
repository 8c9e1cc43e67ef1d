import { joinQuery, splitQuery } from '../host/url.js';
import { canonicalText, hasNames } from './argText.js';

type Params = Readonly<Record<string, unknown>>;
type Text = (params: Params) => string;

/** What the home of an endpoint's lists depends on. */
export interface Housed {
  readonly path?: string | undefined;
  readonly scope?: string | undefined;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string | undefined;
  readonly searchParams?: object | undefined;
  readonly url?: unknown;
  readonly searchToString?: unknown;
  readonly key?: unknown;
  /** The methods of the class, by which those of the user's own are told. */
  readonly '~base'?: Readonly<Record<'url' | 'searchToString' | 'key', Text>>;
  /** The names of its placeholders. */
  readonly '~names'?: Iterable<string>;
  /** What comes before its paths; the name of its service where it has one. */
  readonly '~server'?: string;
  /** Which argument of a call is the body; -1 where there is none. */
  readonly '~bodyAt'?: (args: readonly unknown[]) => number;
  /** The pairs that its own `url` and `searchToString` add to the query of every call; see `addedPairs`. */
  readonly '~added'?: () => readonly string[];
  /** The arguments of a call with those that the endpoint adds to every call. */
  readonly '~said'?: (args: readonly unknown[]) => readonly unknown[];
}

/** What only the module knows that makes endpoints. */
export interface Housing {
  /** What stands for an endpoint without a path: its own name, or what it shares with those that `extend` makes of it. */
  readonly own: () => string;
  /** The endpoint as its class sees it. */
  readonly self: () => Housed;
  /** Whether the definition is the last one of its endpoint. */
  readonly isNews: boolean;
  /** Whether a member is one of the user's own. */
  readonly isExtra: (name: string) => boolean;
}

/** Where the query of a template begins, and what separates its pairs. */
const QUERY = /(\\.)|\{?\?.*/gs;
const BETWEEN_PAIRS = /[?&{}]+/;

/**
 * Path as template text with the constants of its query alone, behind a method other than GET; of an endpoint without a path what
 * stands for it.
 */
export function placeOf(endpoint: Housed, { own, self, isExtra }: Housing): string {
  const { path, url, method } = endpoint;
  if (path === undefined) {
    return `${own()}()`;
  }
  const text = path.includes('?') ? path.replace(QUERY, '$1') : path;
  // A placeholder is filled in from the arguments, which tell lists apart as well.
  const pairs = path.slice(text.length).split(BETWEEN_PAIRS);
  const constants = pairs.filter((pair) => pair && !/(?<!\\)[:*]/.test(pair));
  const added = self()['~added']?.() ?? addedPairs(self());
  const query = [...constants, ...added].sort();
  // As in keys: another method asks something else of one URL.
  const verb = method === 'GET' ? '' : `${method} `;
  const place = verb + endpoint['~server'] + joinQuery(text, query);
  if (url === endpoint['~base']?.url) {
    return place;
  }
  // What a `url()` of the user's own may look at: two tenants do not share lists.
  const extras = Object.keys(endpoint)
    .filter(isExtra)
    .map((name): [string, unknown] => [name, Reflect.get(endpoint, name)])
    .filter(([, value]) => !/object|function/.test(typeof value));
  return extras.length > 0 ? place + canonicalText(Object.fromEntries(extras)) : place;
}

/** What a `url` or `searchToString` of the user's own adds to the query of every call. */
export function addedPairs(
  endpoint: Housed,
  hasStandardKey: boolean = endpoint.key === endpoint['~base']?.key,
): readonly string[] {
  // The cast: an endpoint with a base has its methods.
  const { '~base': base, url, searchToString } = endpoint as Required<Housed>;
  const isOwn = url !== base?.url || searchToString !== base?.searchToString;
  // A `key` of the user's own may leave out what changes from call to call.
  if (!isOwn || !hasStandardKey) {
    return [];
  }
  try {
    const params = Object.fromEntries(Array.from(endpoint['~names'] ?? [], (name) => [name, name]));
    const pairsOf = (method: unknown): string[] =>
      splitQuery((method as Text).call(endpoint, params)).slice(1);
    const standard = pairsOf(base.url);
    return [
      ...splitQuery(`?${(searchToString as Text).call(endpoint, {})}`).slice(1),
      ...pairsOf(url).filter((pair) => !standard.includes(pair)),
    ];
  } catch {
    // It needs more than the parameters of the path, or is asked before the endpoint is constructed.
    return [];
  }
}

/**
 * The arguments of a call with the default search parameters, and without what the URL leaves out; where the collection `joins` them,
 * the parameters first and then the body.
 */
export function completeArgs(
  endpoint: Housed,
  args: readonly unknown[],
  joins: boolean,
): readonly unknown[] {
  const written = writtenArgs(endpoint, args, joins);
  return endpoint['~said']?.(written) ?? written;
}

function writtenArgs(
  endpoint: Housed,
  args: readonly unknown[],
  joins: boolean,
): readonly unknown[] {
  const { '~base': base, searchToString, searchParams } = endpoint;
  if (!base) {
    return args;
  }
  const isBody = endpoint['~bodyAt']?.(args) === 0;
  // A body alone is one behind no parameters: `({}, body)` asks the same.
  const [first, ...rest] = isBody && joins ? [undefined, ...args] : args;
  const isWhole = isBody && !joins;
  if (isWhole && !hasNames(first)) {
    return args;
  }
  const params = Object.entries<unknown>({ ...searchParams, ...Object(first) });
  if (isWhole || searchToString !== base.searchToString) {
    return [Object.fromEntries(params), ...rest];
  }
  // As the URL writes them: a list of one value is that value, and one of none is left out.
  const written = params.flatMap(([name, value]) => {
    const [one, ...more] = [value].flat().filter((item) => (item ?? null) !== null);
    return one === undefined ? [] : [[name, more.length > 0 ? [one, ...more] : one] as const];
  });
  return [Object.fromEntries(written), ...rest];
}

import { canonicalText } from '../schema/argText.js';
import { announce, bindSchema, type Home, type InheritedOptions } from '../schema/homes.js';
import { type Identified, ownText } from '../schema/identity.js';
import { joinQuery, prefixFor } from './path.js';

/** What `resource()` hands to its lists: an option, so that it survives `extend`. */
export const LIST_OPTIONS: unique symbol = Symbol('restitch.list');

/** What the home of an endpoint's lists depends on. */
export interface Housed extends Identified {
  readonly path?: string | undefined;
  readonly urlPrefix?: string | undefined;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string | undefined;
  readonly url?: unknown;
  /**
   * The arguments of a call with the default search parameters, and without what the URL leaves out; where the collection `joins` them,
   * the parameters first and then the body.
   */
  readonly '~said'?: (args: readonly unknown[], joins: boolean) => readonly unknown[];
  /** The `url` of the class, by which one of the user's own is told. */
  readonly '~url'?: unknown;
  /** What a `url` or `searchToString` of the user's own adds to the query of every call. */
  readonly '~constants'?: readonly string[];
  readonly [LIST_OPTIONS]?: InheritedOptions | undefined;
}

/** Options by which lists may come to stand elsewhere. */
export const MOVING: RegExp = /^(name|schema|path|urlPrefix|service|scope|method|body|sideEffect)$/;

/** Options that change neither what is asked nor where lists stand. */
const STANDARD =
  /^(searchParams|paginationField|signal|timeout|content|retry|nullable|dataExpiryLength|errorExpiryLength|invalidIfStale|pollFrequency)$/;

/** Whether an option is one of the user's own. */
export const isExtra = (name: string): boolean => !MOVING.test(name) && !STANDARD.test(name);

/**
 * Defines the schema of an endpoint: each look binds its lists to where the endpoint then stands, since class fields are only
 * known once the constructor has run.
 *
 * @param own What stands for an endpoint without a path: its own name, or what it shares with those that `extend` makes of it.
 * @param self The endpoint as its class sees it.
 * @param isNews Whether its lists may stand elsewhere than those of the endpoint that it was made of.
 */
export function defineSchema(
  target: Housed,
  schema: unknown,
  own: () => string | object,
  isNews: boolean,
  self: () => Housed,
): void {
  let home: Home | undefined;
  let bound: unknown;
  const get = (): unknown => {
    const place = placeOf(target, own, self);
    const { scope, sideEffect, [LIST_OPTIONS]: inherited } = target;
    const isRead = !sideEffect;
    if (home?.place !== place || home.scope !== scope || home.isRead !== isRead) {
      const complete: Home['complete'] = (args, joins) => target['~said']?.(args, joins) ?? args;
      home = { place, scope, complete, inherited, isRead };
      bound = bindSchema(schema, home);
    }
    return bound;
  };
  Object.defineProperty(target, 'schema', {
    get,
    set: undefined,
    enumerable: true,
    configurable: true,
  });
  if (isNews) announce(schema, get);
}

const GET = 'GET';

/** Where the query of a template begins, and what separates its pairs. */
const QUERY = /(\\.)|\{?\?.*/gs;
const BETWEEN_PAIRS = /[?&{}]+/;

/**
 * Path as template text with the constants of its query alone, behind a method other than GET; of an endpoint without a path what
 * stands for it.
 */
function placeOf(endpoint: Housed, own: () => string | object, self: () => Housed): string {
  const { path, url } = endpoint;
  if (path === undefined) {
    const given = own();
    return typeof given === 'string' ? `${given}()` : ownText(given);
  }
  const text = path.includes('?') ? path.replace(QUERY, '$1') : path;
  // A placeholder is filled in from the arguments, which tell lists apart as well.
  const pairs = path.slice(text.length).split(BETWEEN_PAIRS);
  const constants = pairs.filter((pair) => pair && !/(?<!\\)[:*]/.test(pair));
  // As in keys: another method asks something else of one URL.
  const { method = GET } = endpoint;
  const all = [...constants, ...(self()['~constants'] ?? [])].sort();
  const place = (method === GET ? '' : `${method} `) + serverOf(endpoint) + joinQuery(text, all);
  return url === endpoint['~url'] ? place : place + extrasOf(endpoint);
}

/** What a `url()` of the user's own may look at, as text: two tenants do not share lists. */
function extrasOf(endpoint: object): string {
  const extras = Object.keys(endpoint)
    .filter(isExtra)
    .map((name): [string, unknown] => [name, Reflect.get(endpoint, name)])
    .filter(([, value]) => !/object|function/.test(typeof value));
  return extras.length > 0 ? canonicalText(Object.fromEntries(extras)) : '';
}

/** What comes before the path of an endpoint. */
export const prefixOf = ({ urlPrefix, path }: Housed): string =>
  prefixFor(urlPrefix ?? '', path ?? '');

/** What stands for the server in keys and homes: the name of the service, else the prefix of its URLs. */
export function serverOf(endpoint: Housed): string {
  const { service } = endpoint;
  return service === undefined ? prefixOf(endpoint) : JSON.stringify(service);
}

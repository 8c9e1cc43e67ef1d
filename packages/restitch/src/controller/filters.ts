import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { warnMisspelled, warnOnce } from '../errors/misspelled.js';
import { misuse } from '../errors/RestitchError.js';
import type { EntityClass } from '../schema/Schema.js';
import { declaredOf } from './fixedOf.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** A request or a stored result, as `match` of a filter receives it. */
export interface Filtered {
  /** The cache key. */
  readonly key: string;
  /** The endpoint that sent the first request with this key. */
  readonly endpoint: EndpointInterface;
}

/**
 * Selects requests or stored results. All given members must match.
 *
 * @remarks A filter needs at least one of `endpoint`, `entity`, `path`, `sideEffect` and `match`. A
 * member with the value undefined throws, because the filter would select too much.
 *
 * @example
 * ```ts
 * import { Entity, type Filter } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 * export const filters: Filter[] = [
 *   { entity: User },
 *   { entity: User, pk: '5' },
 *   { path: '/users' },
 *   { match: ({ endpoint }) => endpoint.name.endsWith('.getList') },
 * ];
 * ```
 */
export interface Filter {
  /**
   * Selects the calls of an endpoint. If the endpoint has no `scope` (see `HookInit`), the calls of
   * all scopes are included.
   */
  readonly endpoint?: EndpointInterface;
  /** The arguments of a call of `endpoint`. */
  readonly args?: readonly unknown[];
  /** A class of records. Selects results that contain such a record, and lists of such records. */
  readonly entity?: EntityClass;
  /** The primary key of one record of `entity`. Selects results that contain this record. */
  readonly pk?: string | number;
  /**
   * The start of a path template: `/users` selects `/users` and `/users/:id`. A path with values,
   * such as `/users/5`, selects nothing.
   */
  readonly path?: string;
  /** True selects mutations, false selects reads. */
  readonly sideEffect?: boolean;
  /** Returns true for each request or result that the filter selects. */
  readonly match?: (filtered: Filtered) => boolean;
}

const MEMBERS = ['args', 'endpoint', 'entity', 'match', 'path', 'pk', 'sideEffect'];

/** Ignores `entity` and `pk`. */
export function matches(
  { endpoint, args, path, sideEffect, match }: Filter,
  filtered: Filtered,
): boolean {
  const { endpoint: asked } = filtered;
  return (
    (!endpoint || isCallOf(endpoint, args, filtered)) &&
    (path === undefined || startsWith(asked.path ?? '', path)) &&
    (sideEffect === undefined || sideEffect === Boolean(asked.sideEffect)) &&
    (!match || match({ key: filtered.key, endpoint: declaredOf(asked) }))
  );
}

/** An endpoint without a `scope` (see `HookInit`) includes the calls of all scopes. */
export function isCallOf(
  endpoint: EndpointInterface,
  args: readonly unknown[] | undefined,
  { key, endpoint: asked }: Filtered,
): boolean {
  const isKin = endpoint.$isKin?.(asked) === true;
  if (!args) {
    return endpoint.testKey(key) || isKin;
  }
  // `$isKin` without a scope accepts an endpoint with a scope, but not the other way round.
  const isOtherScope = isKin && !asked.$isKin?.(endpoint);
  return (isOtherScope ? asked : endpoint).key(...args) === key;
}

/** Compares whole segments: `/users/:id` starts with `/users`, `/users-old` does not. */
function startsWith(template: string, start: string): boolean {
  const rest = template.slice(start.length);
  return template.startsWith(start) && (/^([/?{:*\\]|$)/.test(rest) || start.endsWith('/'));
}

export function warnPath(owner: string, { path }: Filter, all: readonly Filtered[]): void {
  if (
    path &&
    all.some(({ key }) => key.includes(path)) &&
    !all.some(({ endpoint }) => startsWith(endpoint.path ?? '', path))
  ) {
    warnOnce(
      `${owner}: no endpoint has a path template that starts with \`${path}\`. \`path\` selects by templates, such as \`/users/:id\`. To select one URL, use \`endpoint\` with \`args\`.`,
    );
  }
}

const SELECTING = ['endpoint', 'entity', 'path', 'sideEffect', 'match'];

export function checkFilter(owner: string, filter: Filter): void {
  const given = Object.entries(filter);
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnMisspelled(owner, Object.keys(filter), MEMBERS);
  }
  const empty = given.find(([, value]) => value === undefined)?.[0];
  if (empty !== undefined || !given.some(([name]) => SELECTING.includes(name))) {
    throw misuse(
      'filter-empty',
      isDevelopment
        ? `${owner}: ${empty === undefined ? 'the filter' : `\`${empty}\` of the filter`} is empty, which would select too much. Give it a value, for example \`{ path: '/users' }\`. To select everything, use \`{ match: () => true }\`.`
        : `filter-empty ${owner}`,
    );
  }
}

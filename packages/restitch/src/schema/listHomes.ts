import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { entryOf } from '../host/entryOf.js';
import type { Collection, CollectionConstructor, CollectionOptions } from './Collection.js';
import { CollectionEdit, setEdits } from './CollectionEdit.js';
import { completeArgs, type Housed, placeOf } from './endpointHome.js';
import { setField } from './setField.js';
import { ownText, readableText } from './identityText.js';
import { isKind, setKind } from './SchemaKind.js';
import {
  isHolder,
  isList,
  type List,
  listsIn,
  type ListMethods,
  partsOf,
} from './listsInSchema.js';
import type { Schema } from './Schema.js';

/**
 * The home of a list is its endpoint. A `Collection` defines the content of a list but not its
 * identity. Each endpoint replaces a collection in its schema by a bound copy. The lists of this
 * copy belong to that endpoint. `/users` and `/users/banned` are therefore two lists, although both
 * hold users.
 *
 * ```
 *   new Collection([User])     ── getUsers  '/users' ────────▶ bound copy, place '/users'
 *          (origin)            ── getBanned '/users/banned' ─▶ bound copy, place '/users/banned'
 *                              ── nested in a record ────────▶ bound copy, one list per record
 *                              ── used directly ─────────────▶ the list of its only place
 * ```
 */
interface Home {
  /** The path template and the constant pairs of its query: see `placeOf`. */
  readonly place: string;
  /** The scope of the endpoint separates the lists of several users in one store. */
  readonly scope: string | undefined;
  /** The endpoint adds default search parameters to the arguments of a call. */
  readonly endpoint: Housed;
  /** False for an endpoint with side effects. Its place identifies no list. */
  readonly isRead: boolean;
}

/** What `resource()` sets for the list of its records, and for the endpoints that edit the list. */
export interface ResourceList {
  readonly List: CollectionConstructor;
  /** The options of a collection override them. */
  readonly options: CollectionOptions;
  /** The options of the endpoint `move`. */
  readonly move: object;
  /** The options of all other endpoints that edit the list. */
  readonly add: object;
}

/** Extended endpoints keep this option, because `extend` copies it. */
export const RESOURCE_LIST: unique symbol = Symbol('restitch.list');

/** The home of collections in the schema of a record. */
const NESTED: Home = { place: '', scope: undefined, endpoint: {}, isRead: false };

const homes = new WeakMap<Collection, { readonly origin: Collection; readonly home: Home }>();

function boundOf(collection: Collection): { readonly origin: Collection; readonly home?: Home } {
  return homes.get(collection) ?? { origin: collection };
}

interface Places {
  /**
   * The first endpoint at each place. Two places make an unbound collection ambiguous, so few
   * places are kept.
   */
  readonly known: Map<string, Housed>;
  /** The homes of endpoints that may still be under construction. */
  readonly waiting: (() => Home)[];
  /** True if the collection was used before any endpoint had it: see `placeText`. */
  isOlder?: boolean;
}

const placesOf = new WeakMap<Collection, Places>();
const ENOUGH = 3;

function placesAt(origin: Collection): Places {
  return entryOf(placesOf, origin, () => ({ known: new Map(), waiting: [] }));
}

function settle(places: Places): void {
  for (const homeNow of places.waiting.splice(0)) {
    note(places, homeNow());
  }
}

function note({ known }: Places, { isRead, place, endpoint }: Home): void {
  // The first endpoint at a place is kept: its default search parameters complete the arguments of
  // a query. With those of a later endpoint, the same query would find another list.
  if (isRead && known.size < ENOUGH && !known.has(place)) {
    known.set(place, endpoint);
  }
}

/**
 * Defines `schema` of an endpoint as an accessor that binds the lists to the current place of the
 * endpoint. An accessor is necessary because the place can change: the base constructor runs before
 * the class fields of a subclass, such as `path`, are set.
 *
 * @param isFinal True if `schema` is not defined again later.
 */
export function define(endpoint: Housed, schema: Schema, isFinal: boolean): void {
  let home: Home | undefined;
  let bound: unknown;
  const homeNow = (): Home => {
    const place = placeOf(endpoint);
    const { scope, sideEffect } = endpoint;
    const isRead = !sideEffect;
    return home?.place === place && home.scope === scope && home.isRead === isRead
      ? home
      : { place, scope, endpoint, isRead };
  };
  const get = (): unknown => {
    const now = homeNow();
    if (now !== home) {
      home = now;
      bound = bindLists(schema, now);
    }
    return bound;
  };
  const property = { get, set: undefined, enumerable: true, configurable: true };
  Object.defineProperty(endpoint, 'schema', property);
  for (const list of isFinal ? listsIn(schema) : []) {
    if (isKind(list, 'collection')) {
      const places = placesAt(boundOf(list).origin);
      if (places.waiting.length > ENOUGH) {
        settle(places);
      }
      places.waiting.push(homeNow);
    }
  }
}

/** By default, binds the lists of a record. */
export function bindLists(schema: Schema, home: Home = NESTED): Schema {
  return withLists(schema, (list) =>
    isKind(list, 'collection') ? bindCollection(list, home) : bindEdit(list, home),
  );
}

setKind(CollectionEdit.prototype, 'edit', { $define: define } satisfies ListMethods);

/** Returns a schema without lists unchanged. */
export function withLists(
  schema: Schema,
  replace: (list: List) => Schema,
  made: Map<unknown, Schema> = new Map(),
): Schema {
  if (isList(schema)) {
    return replace(schema);
  }
  // The cast: only an object can hold a list, and the next line returns all other schemas.
  const holder = schema as object;
  if (listsIn(schema).next().done) {
    return schema;
  }
  const known = made.get(schema);
  if (known !== undefined) {
    return known;
  }
  // A copy keeps the methods of the instance and gets another inner schema.
  const copy: object = Array.isArray(holder) ? [] : isHolder(holder) ? copyOf(holder) : {};
  made.set(schema, copy);
  for (const [name, part] of Object.entries(partsOf(holder))) {
    setField(copy, name, withLists(part, replace, made));
  }
  if (isKind(schema, 'custom')) {
    schema.$lend(copy);
  }
  return copy;
}

function copyOf<T extends object>(instance: T, changes?: object): T {
  return Object.assign(Object.create(Object.getPrototypeOf(instance)), instance, changes);
}

function bindCollection(collection: Collection, home: Home): Collection {
  const { origin } = boundOf(collection);
  note(placesAt(origin), home);
  if (!home.isRead && home !== NESTED) {
    // The response of a mutation belongs to a list that another endpoint reads.
    return rebind(collection, home.scope);
  }
  return bindTo(origin, home);
}

/**
 * Also in another endpoint, `getUsers.schema.push` edits the list of `getUsers`, but with the scope
 * of that endpoint. A getter such as `urlPrefix` may have changed the place of `getUsers`.
 */
function bindEdit(edit: CollectionEdit, { scope }: Home): CollectionEdit {
  const collection = rebind(edit.collection, scope);
  return collection === edit.collection ? edit : copyOf(edit, { collection });
}

function rebind(collection: Collection, scope: string | undefined): Collection {
  const { origin, home } = boundOf(collection);
  const now = home?.endpoint.$made ? placeOf(home.endpoint) : home?.place;
  if (scope === undefined && now === home?.place) {
    return collection;
  }
  const place = now ?? onlyPlace(origin) ?? ownText(origin);
  return bindTo(origin, { ...NESTED, ...home, place, scope: scope ?? home?.scope });
}

function bindTo(origin: Collection, home: Home): Collection {
  // The cast: `resource()` sets the option.
  const { [RESOURCE_LIST]: inherited, pagination } = home.endpoint as {
    readonly [RESOURCE_LIST]?: ResourceList | undefined;
    readonly pagination?: unknown;
  };
  const options = { ...inherited?.options, ...origin.options };
  const copy =
    inherited && origin.constructor === baseOf(origin).constructor
      ? new inherited.List(origin.schema, options)
      : copyOf(origin, { options });
  Object.assign(copy, { $pagination: pagination });
  setEdits(copy);
  homes.set(copy, { origin, home });
  return copy;
}

/** Returns the built-in methods. A method of the collection that differs is an override. */
function baseOf(collection: Collection): Collection {
  // The cast: every collection has this property.
  return (collection as Collection & { readonly $base: Collection }).$base;
}

export function isBound(collection: Collection): boolean {
  return homes.has(collection);
}

/** Unbound collections are compared by name. */
export function sameHome(a: Collection, b: Collection): boolean {
  const kind = (one: Collection): string => String(isBound(one) ? kindOf(one) : one.name);
  return kind(a) === kind(b);
}

export function identityOfList(collection: Collection, args: readonly unknown[]): unknown {
  const { home } = boundOf(collection);
  const [only, another] = home ? [home.endpoint] : placesAt(collection).known.values();
  const joins = !collection.options.argsKey && collection.argsKey === baseOf(collection).argsKey;
  const hasOneHome = only && !another;
  return collection.argsKey(...(hasOneHome ? completeArgs(only, args, joins) : args));
}

/**
 * Identifies the lists of a collection: by its name, otherwise by its place. A collection with a
 * `nestKey` has no place, so the collection itself identifies its lists. The scope is appended.
 *
 * @throws RestitchError for an unbound collection that several endpoints read.
 */
export function kindOf(collection: Collection): readonly string[] {
  const { origin, home } = boundOf(collection);
  const { name } = collection;
  const scope = home?.scope === undefined ? [] : [home.scope];
  if (name !== undefined) {
    return ['name', name, ...scope];
  }
  const place = isNesting(collection) ? undefined : (home?.place ?? onlyPlace(origin));
  return ['at', placeText(origin, place), ...scope];
}

/** True for lists in records. Records, and so their lists, belong to no scope. */
export function isNesting(collection: Collection): boolean {
  return (
    collection.options.nestKey !== undefined || collection.nestKey !== baseOf(collection).nestKey
  );
}

/**
 * A query can use a collection before any endpoint has it. The list is then stored under the text
 * of the collection. The first endpoint must find this list, so the text also stands for its place.
 */
function placeText(origin: Collection, place: string | undefined): string {
  const at = placesAt(origin);
  at.isOlder ||= place === undefined && at.known.size === 0;
  const [first] = at.known.keys();
  return place === undefined || (at.isOlder && place === first) ? ownText(origin) : place;
}

function onlyPlace(origin: Collection): string | undefined {
  const places = placesAt(origin);
  settle(places);
  const [only, ...others] = places.known.keys();
  if (others.length > 0) {
    const all = readableText([only, ...others].join(', '));
    throw new RestitchError(
      'ambiguous-list',
      isDevelopment
        ? `This Collection is several lists: ${all}. Use the \`schema\` of one endpoint instead.`
        : all,
    );
  }
  return only;
}

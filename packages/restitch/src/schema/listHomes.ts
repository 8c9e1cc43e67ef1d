import type { Collection, CollectionConstructor, CollectionOptions } from './Collection.js';
import { CollectionEdit, setEdits } from './CollectionEdit.js';
import { completeArgs, type Housed, placeOf } from './endpointHome.js';
import { setField } from './setField.js';
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
import type { CollectionShape } from './shapes.js';

/**
 * The home of a list is its endpoint. Each endpoint replaces a `Collection` in its schema by a
 * bound copy. So `/users` and `/users/banned` are two lists, although both hold users.
 *
 * ```
 *   new Collection([User])     ── getUsers  '/users' ────────▶ bound copy, place '/users'
 *          (origin)            ── getBanned '/users/banned' ─▶ bound copy, place '/users/banned'
 *                              ── nested in a record ────────▶ bound copy, one list per record
 *                              ── used directly ─────────────▶ the list of its only place
 * ```
 */
export interface Home {
  /** The path template with the constants of its query, such as `/users?type=a`: see `placeOf`. */
  readonly place: string;
  /** The scope of the endpoint separates the lists of several users in one store. */
  readonly scope: string | undefined;
  /** The endpoint adds default search parameters to the arguments of a call. */
  readonly endpoint: Housed;
  /** False for an endpoint with side effects. Its place identifies no list. */
  readonly isRead: boolean;
}

/** Set by `resource()` for the list of its records, and for the endpoints that edit the list. */
export interface ResourceList {
  readonly List: CollectionConstructor;
  /** The options of a collection take precedence. */
  readonly options: CollectionOptions;
  readonly move: object;
  /** The options of the endpoints that edit the list, except `move`. */
  readonly add: object;
}

/** Ends the name of a windowed list, which has indexes instead of pages. */
export const WINDOW = ' (window)';

/** Extended endpoints keep this option, because `extend` copies it. */
export const RESOURCE_LIST: unique symbol = Symbol('restitch.list');

/** The home of collections in the schema of a record. */
const NESTED: Home = { place: '', scope: undefined, endpoint: {}, isRead: false };

const homes = new WeakMap<Collection, { readonly origin: Collection; readonly home: Home }>();

export function boundOf(collection: Collection): {
  readonly origin: Collection;
  readonly home?: Home;
} {
  return homes.get(collection) ?? { origin: collection };
}

/** The code for collections that a program declares, bound and unbound: see `unboundLists.ts`. */
export interface UnboundLists {
  note(origin: Collection, home: Home): void;
  /** Notes the home of the lists of an endpoint that may still be under construction. */
  expect(schema: Schema, homeNow: () => Home): void;
  /** Returns the endpoint of the only known place of an unbound collection. */
  endpointOf(origin: Collection): Housed | undefined;
  /** Returns the place of an unbound collection, or a text that identifies it. */
  placeOf(origin: Collection): string;
  /** Returns the name of the collection, or else its place. */
  kind(collection: Collection, origin: Collection, home: Home | undefined): readonly string[];
  /** Copies a collection without a class of its own as an instance of the class of `resource()`. */
  copy(origin: Collection, inherited: ResourceList, options: object): Collection | undefined;
  /** Returns true if the collection joins the arguments of a call into one object. */
  joins(collection: Collection): boolean;
  /** For a collection with a `nestKey`, returns its shape in records, which has no scope. */
  inRecords(shape: CollectionShape): CollectionShape | undefined;
  /** Computes the table keys again, because a new endpoint can change the place in them. */
  renew(schema: Schema): void;
}

/** Set if a program imports `Collection`. The lists of `resource()` are bound and unnamed. */
export const unboundHook: { lists?: UnboundLists } = {};

/**
 * Defines `schema` as an accessor, because the place can change. The base constructor runs before
 * the class fields of a subclass, such as `path`, are set.
 *
 * @param isFinal False while `extend` constructs an endpoint: `schema` is then defined again.
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
      // A mutation that `extend` makes from another endpoint edits the lists of that endpoint.
      const from = endpoint.$made?.from;
      const isInherited = !now.isRead && from?.$made?.options['schema'] === schema;
      bound = bindLists(isInherited ? from?.schema : schema, now);
    }
    return bound;
  };
  const property = { get, set: undefined, enumerable: true, configurable: true };
  Object.defineProperty(endpoint, 'schema', property);
  if (isFinal) {
    unboundHook.lists?.expect(schema, homeNow);
  }
}

/** By default, binds the lists of a record. */
export function bindLists(schema: Schema, home: Home = NESTED): Schema {
  return withLists(schema, (list) =>
    isKind(list, 'collection') ? bindCollection(list, home) : bindEdit(list, home),
  );
}

setKind(CollectionEdit.prototype, 'edit', { $define: define } satisfies ListMethods);

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
  unboundHook.lists?.note(origin, home);
  if (!home.isRead && home !== NESTED) {
    // The response of a mutation belongs to a list that another endpoint reads.
    return rebind(collection, home.scope);
  }
  return bindTo(origin, home);
}

/** `getUsers.schema.push` in another endpoint edits the list of `getUsers`, in the new scope. */
function bindEdit(edit: CollectionEdit, { scope }: Home): CollectionEdit {
  const collection = rebind(edit.collection, scope);
  return collection === edit.collection ? edit : copyOf(edit, { collection });
}

function rebind(collection: Collection, scope: string | undefined): Collection {
  const { origin, home } = boundOf(collection);
  // A getter such as `urlPrefix` can have changed the place.
  const now = home?.endpoint.$made ? placeOf(home.endpoint) : home?.place;
  if (scope === undefined && now === home?.place) {
    return collection;
  }
  const place = now ?? unboundHook.lists?.placeOf(origin) ?? '';
  return bindTo(origin, { ...NESTED, ...home, place, scope: scope ?? home?.scope });
}

export function withoutScope(collection: Collection): Collection {
  const { origin, home } = boundOf(collection);
  return home?.scope === undefined ? collection : bindTo(origin, { ...home, scope: undefined });
}

function bindTo(origin: Collection, home: Home): Collection {
  // The cast: `resource()` sets the option.
  const { [RESOURCE_LIST]: inherited, pagination } = home.endpoint as {
    readonly [RESOURCE_LIST]?: ResourceList | undefined;
    readonly pagination?: unknown;
  };
  const options = { ...inherited?.options, ...origin.options };
  const copy =
    (inherited && unboundHook.lists?.copy(origin, inherited, options)) ??
    copyOf(origin, { options });
  Object.assign(copy, { $pagination: pagination });
  setEdits(copy);
  homes.set(copy, { origin, home });
  return copy;
}

export function isBound(collection: Collection): boolean {
  return homes.has(collection);
}

/** Unbound collections are compared by name. */
export function homeText(collection: Collection): string {
  return String(isBound(collection) ? kindOf(collection) : collection.name);
}

export function identityOfList(collection: Collection, args: readonly unknown[]): unknown {
  const joins = unboundHook.lists?.joins(collection) ?? true;
  return collection.argsKey(...requestArgs(collection, args, joins));
}

/** Returns the arguments of a call with the default search parameters of its endpoint. */
export function requestArgs(
  collection: Collection,
  args: readonly unknown[],
  joins: boolean = true,
): readonly unknown[] {
  const { home } = boundOf(collection);
  const endpoint = home ? home.endpoint : unboundHook.lists?.endpointOf(collection);
  return endpoint ? completeArgs(endpoint, args, joins) : args;
}

/** @throws RestitchError for an unbound collection that several endpoints read. */
export function kindOf(collection: Collection): readonly string[] {
  const { origin, home } = boundOf(collection);
  const kind = unboundHook.lists?.kind(collection, origin, home) ?? ['at', home?.place ?? ''];
  return home?.scope === undefined ? kind : [...kind, home.scope];
}

import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { Collection, CollectionConstructor, CollectionOptions } from './Collection.js';
import { CollectionEdit, setEdits } from './CollectionEdit.js';
import { completeArgs, type Housed, type Housing, placeOf } from './endpointHome.js';
import { setField } from './fields.js';
import { ownText, readableText } from './identity.js';
import { isKind, setKind } from './kind.js';
import { isHolder, isList, type List, listsIn, type ListMethods, partsOf } from './lists.js';
import type { Schema } from './Schema.js';

/**
 * Where lists stand. A `Collection` says what a list holds, not which list it is: endpoints bind the collections in their
 * schemas to their own home, so that `/users` and `/users/banned` are two lists though both hold users.
 *
 * ```
 *   new Collection([User])     ── getUsers  '/users' ────────▶ bound copy, place '/users'
 *          (origin)            ── getBanned '/users/banned' ─▶ bound copy, place '/users/banned'
 *                              ── nested in a record ────────▶ bound copy, place NESTED: its owner tells its lists apart
 *                              ── used by itself ────────────▶ stands for its only place
 * ```
 */
interface Home {
  /** The path of the endpoint, as template text with the constants of its query; what stands for an endpoint without one. */
  readonly place: string;
  /** Whose lists they are, where several users share one store. */
  readonly scope: string | undefined;
  /** The endpoint, which completes the arguments of a call. */
  readonly endpoint: Housed;
  /** Whether the endpoint reads: one with side effects is no home. */
  readonly isRead: boolean;
}

/** What `resource()` says of its lists, for collections that say nothing else. */
interface InheritedOptions {
  readonly List: CollectionConstructor;
  readonly options: CollectionOptions;
}

/** What `resource()` hands to its lists: an option, so that it survives `extend`. */
export const LIST_OPTIONS: unique symbol = Symbol('restitch.list');

/** The place of collections that stand in the schema of a record. */
const NESTED: Home = { place: '', scope: undefined, endpoint: {}, isRead: false };

const homes = new WeakMap<Collection, { readonly origin: Collection; readonly home: Home }>();

/** What a collection was made of, and where it stands. */
function boundOf(collection: Collection): { readonly origin: Collection; readonly home?: Home } {
  return homes.get(collection) ?? { origin: collection };
}

/** Where a collection that was declared stands. */
interface Places {
  /** The endpoint by place; a few are enough to say that there are several. */
  readonly known: Map<string, Housed>;
  /** Endpoints that may still be under construction: each call adds the place of one. */
  readonly waiting: (() => Home)[];
  /** It was used by itself before any place was known: what was written then belongs to the first one. */
  isOlder: boolean;
}

const placesOf = new WeakMap<Collection, Places>();
const ENOUGH = 3;

function placesAt(origin: Collection): Places {
  const places = placesOf.get(origin) ?? { known: new Map(), waiting: [], isOlder: false };
  placesOf.set(origin, places);
  return places;
}

/** Notes where endpoints stand that were under construction. */
function settle(places: Places): void {
  for (const homeNow of places.waiting.splice(0)) {
    note(places, homeNow());
  }
}

/** Notes the place of an endpoint that reads. */
function note({ known }: Places, { isRead, place, endpoint }: Home): void {
  // The first one stays: those that `extend` makes of it may have other default search parameters.
  if (isRead && known.size < ENOUGH && !known.has(place)) {
    known.set(place, endpoint);
  }
}

/**
 * Defines the schema of an endpoint that holds lists: each look binds them to where the endpoint then stands, since class fields are
 * only known once the constructor has run.
 */
export function define(endpoint: Housed, schema: Schema, housing: Housing): void {
  let home: Home | undefined;
  let bound: unknown;
  const homeNow = (): Home => {
    const place = placeOf(endpoint, housing);
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
      bound = bindSchema(schema, now);
    }
    return bound;
  };
  const property = { get, set: undefined, enumerable: true, configurable: true };
  Object.defineProperty(endpoint, 'schema', property);
  for (const list of housing.isNews ? listsIn(schema) : []) {
    if (isKind(list, 'collection')) {
      const places = placesAt(boundOf(list).origin);
      if (places.waiting.length > ENOUGH) {
        settle(places);
      }
      places.waiting.push(homeNow);
    }
  }
}

/** A schema as it stands in a record. */
export function bindNested(schema: Schema): Schema {
  return bindSchema(schema, NESTED);
}

/** A schema with each collection in it bound to a home, however deep it lies; the schema itself where it holds none. */
function bindSchema(schema: Schema, home: Home): Schema {
  return withLists(schema, (list) =>
    isKind(list, 'collection') ? bindCollection(list, home) : bindEdit(list, home),
  );
}

setKind(CollectionEdit.prototype, 'edit', { '~define': define } satisfies ListMethods);

/** A schema with each collection and edit in it replaced, however deep it lies; the schema itself where it holds none. */
export function withLists(
  schema: Schema,
  replace: (list: List) => Schema,
  made: Map<unknown, Schema> = new Map(),
): Schema {
  if (isList(schema)) {
    return replace(schema);
  }
  // The cast: what holds a list is an object.
  const holder = schema as object;
  if (listsIn(schema).next().done) {
    return schema;
  }
  const known = made.get(schema);
  if (known !== undefined) {
    return known;
  }
  // An instance keeps its methods: the copy differs in the schema that it holds.
  const copy: object = Array.isArray(holder) ? [] : isHolder(holder) ? copyOf(holder) : {};
  made.set(schema, copy);
  for (const [name, part] of Object.entries(partsOf(holder))) {
    setField(copy, name, withLists(part, replace, made));
  }
  if (isKind(schema, 'custom')) {
    schema['~lend'](copy);
  }
  return copy;
}

/** Another instance of the same class with the same fields, and some that differ. */
function copyOf<T extends object>(instance: T, changes?: object): T {
  return Object.assign(Object.create(Object.getPrototypeOf(instance)), instance, changes);
}

function bindCollection(collection: Collection, home: Home): Collection {
  const { origin } = boundOf(collection);
  note(placesAt(origin), home);
  if (!home.isRead && home !== NESTED) {
    // Of an endpoint with side effects the response is about a list that another one reads.
    return rebind(collection, home.scope);
  }
  return bindTo(origin, home);
}

/** An edit keeps the place that it was taken from, wherever it is used; only whose lists it edits may change. */
function bindEdit(edit: CollectionEdit, { scope }: Home): CollectionEdit {
  const collection = rebind(edit.collection, scope);
  return collection === edit.collection ? edit : copyOf(edit, { collection });
}

function rebind(collection: Collection, scope: string | undefined): Collection {
  if (scope === undefined) {
    return collection;
  }
  const { origin, home } = boundOf(collection);
  const place = home?.place ?? onlyPlace(origin) ?? ownText(origin);
  return bindTo(origin, { ...NESTED, ...home, place, scope });
}

function bindTo(origin: Collection, home: Home): Collection {
  // The cast: `resource()` sets the option.
  const { [LIST_OPTIONS]: inherited } = home.endpoint as {
    readonly [LIST_OPTIONS]?: InheritedOptions | undefined;
  };
  const options = { ...inherited?.options, ...origin.options };
  const copy =
    inherited && origin.constructor === baseOf(origin).constructor
      ? new inherited.List(origin.schema, options)
      : copyOf(origin, { options });
  setEdits(copy);
  homes.set(copy, { origin, home });
  return copy;
}

/** The methods of `Collection`, by which those of a subclass are told. */
function baseOf(collection: Collection): Collection {
  // The cast: every collection has it.
  return (collection as Collection & { readonly '~base': Collection })['~base'];
}

/** Whether a collection stands in a place of its own, rather than being used by itself. */
export function isBound(collection: Collection): boolean {
  return homes.has(collection);
}

/** Whether two collections stand for one kind of list. Those that are used by themselves do where nothing tells them apart. */
export function sameHome(a: Collection, b: Collection): boolean {
  const kind = (one: Collection): string => String(isBound(one) ? kindOf(one) : one.name);
  return kind(a) === kind(b);
}

/** What identifies a list, of the arguments of a call. */
export function identityOfList(collection: Collection, args: readonly unknown[]): unknown {
  const { home } = boundOf(collection);
  // A collection that is used by itself stands for its only place.
  const [only, another] = home ? [home.endpoint] : placesAt(collection).known.values();
  const joins = !collection.options.argsKey && collection.argsKey === baseOf(collection).argsKey;
  const isAsked = only && !another;
  return collection.argsKey(...(isAsked ? completeArgs(only, args, joins) : args));
}

/**
 * Which kind of list a collection stands for, as text: its name, or itself where it says by a `nestKey` that it is one kind
 * wherever it stands, else its place; and whose lists they are.
 *
 * @throws RestitchError where a collection that several endpoints read is used by itself.
 */
export function kindOf(collection: Collection): readonly string[] {
  const { origin, home } = boundOf(collection);
  const { name } = collection;
  const scope = home?.scope === undefined ? [] : [home.scope];
  if (name !== undefined) {
    return ['name', name, ...scope];
  }
  const isNesting =
    collection.options.nestKey !== undefined || collection.nestKey !== baseOf(collection).nestKey;
  const place = isNesting ? undefined : (home?.place ?? onlyPlace(origin));
  return ['at', placeText(origin, place), ...scope];
}

/** A place as text; of the first one of a collection that was used by itself before, the collection. */
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
        ? `This Collection is several lists, ${all}: use the \`schema\` of the endpoint that is meant.`
        : all,
    );
  }
  return only;
}

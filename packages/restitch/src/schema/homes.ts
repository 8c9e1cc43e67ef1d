import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { Collection, CollectionConstructor, CollectionOptions } from './Collection.js';
import { CollectionClass, setEdits } from './collectionClass.js';
import { CollectionEdit } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import { setField } from './fields.js';
import { ownText, readableText } from './identity.js';
import { isKind, kindOfSchema } from './kind.js';
import type { Lazy } from './Lazy.js';
import { isPlain } from './same.js';
import type { Schema } from './Schema.js';
import type { Values } from './Values.js';

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
export interface Home {
  /** The path of the endpoint, as template text with the constants of its query; what stands for an endpoint without one. */
  readonly place: string;
  /** Whose lists they are, where several users share one store. */
  readonly scope: string | undefined;
  /** The arguments of a call with the endpoint's default search parameters; `joins`: see `Housed`. */
  readonly complete: (args: readonly unknown[], joins: boolean) => readonly unknown[];
  /** Options that collections take over which set none of their own. */
  readonly inherited: InheritedOptions | undefined;
  /** Whether the endpoint reads: one with side effects is no home. */
  readonly isRead: boolean;
}

/** What `resource()` says of its lists, for collections that say nothing else. */
export interface InheritedOptions {
  readonly List: CollectionConstructor;
  readonly options: CollectionOptions;
}

/** The place of collections that stand in the schema of a record. */
const NESTED: Home = {
  place: '',
  scope: undefined,
  complete: (args) => args,
  inherited: undefined,
  isRead: false,
};

interface Bound {
  readonly origin: Collection;
  readonly home: Home;
}

const bound = new WeakMap<Collection, Bound>();

/** What a collection was made of, and where it stands. */
function boundOf(collection: Collection): { readonly origin: Collection; readonly home?: Home } {
  return bound.get(collection) ?? { origin: collection };
}

/** Where a collection that was declared stands. */
interface Places {
  /** By place what it makes of arguments; a few are enough to say that there are several. */
  readonly known: Map<string, Home['complete']>;
  /** Endpoints that may still be under construction: each call adds the place of one. */
  waiting: (() => unknown)[];
  /** It was used by itself before any place was known: what was written then belongs to the first one. */
  isOlder: boolean;
}

const placesOf = new WeakMap<Collection, Places>();
const ENOUGH = 3;

/** Notes that an endpoint holds the collections in a schema; `settle` binds them. Its place is known once it is constructed. */
export function announce(schema: Schema, settle: () => unknown): void {
  for (const list of listsIn(schema)) {
    if (!(list instanceof CollectionClass)) {
      continue;
    }
    const places = placesAt(boundOf(list).origin);
    if (places.waiting.length > ENOUGH) {
      settleAll(places);
    }
    places.waiting.push(settle);
  }
}

function placesAt(origin: Collection): Places {
  const places = placesOf.get(origin) ?? { known: new Map(), waiting: [], isOlder: false };
  placesOf.set(origin, places);
  return places;
}

function settleAll(places: Places): void {
  const { waiting } = places;
  places.waiting = [];
  for (const settle of waiting) {
    settle();
  }
}

/** The collections in a schema, and the edits of such, however deep they lie. */
export function* listsIn(
  schema: Schema,
  seen: Set<unknown> = new Set(),
): Generator<Collection | CollectionEdit, void> {
  if (isList(schema)) {
    yield schema;
  } else if (typeof schema === 'object' && schema !== null && !seen.has(schema)) {
    seen.add(schema);
    for (const part of Object.values(partsOf(schema))) {
      yield* listsIn(part, seen);
    }
  }
}

function isList(schema: Schema): schema is Collection | CollectionEdit {
  return schema instanceof CollectionClass || schema instanceof CollectionEdit;
}

/** A schema as it stands in a record. */
export function bindNested(schema: Schema): Schema {
  return bindSchema(schema, NESTED);
}

/** A schema with each collection in it bound to a home, however deep it lies; the schema itself where it holds none. */
export function bindSchema(schema: Schema, home: Home): Schema {
  return withLists(schema, (list) =>
    list instanceof CollectionClass ? bindCollection(list, home) : bindEdit(list, home),
  );
}

/** Whether a schema holds a collection, or an edit of one, however deep. */
export function holdsCollection(schema: Schema): schema is object {
  return listsIn(schema).next().done === false;
}

/** What a schema holds that may hold a collection. */
function partsOf(schema: object): object {
  if (isHolder(schema)) {
    return { schema: schema.schema };
  }
  return Array.isArray(schema) || isPlain(schema) ? schema : {};
}

function isHolder(schema: object): schema is CustomSchema | Lazy<Schema> | Values<Schema> {
  return kindOfSchema(schema) !== undefined && 'schema' in schema;
}

/** A schema with each collection and edit in it replaced, however deep it lies; the schema itself where it holds none. */
export function withLists(
  schema: Schema,
  replace: (list: Collection | CollectionEdit) => Schema,
  made: Map<unknown, Schema> = new Map(),
): Schema {
  if (isList(schema)) {
    return replace(schema);
  }
  if (!holdsCollection(schema)) {
    return schema;
  }
  const known = made.get(schema);
  if (known !== undefined) {
    return known;
  }
  // An instance keeps its methods: the copy differs in the schema that it holds.
  const copy: object = Array.isArray(schema) ? [] : isHolder(schema) ? copyOf(schema) : {};
  made.set(schema, copy);
  for (const [name, part] of Object.entries(partsOf(schema))) {
    setField(copy, name, withLists(part, replace, made));
  }
  if (isKind(schema, 'custom')) {
    schema['~lend'](copy);
  }
  return copy;
}

/** Another instance of the same class with the same fields. */
function copyOf<T extends object>(instance: T): T {
  return Object.assign(Object.create(Object.getPrototypeOf(instance)), instance);
}

function bindCollection(collection: Collection, home: Home): Collection {
  const { origin } = boundOf(collection);
  if (!home.isRead && home !== NESTED) {
    // Of an endpoint with side effects the response is about a list that another one reads.
    return home.scope === undefined ? collection : rebind(collection, home.scope);
  }
  if (home.isRead) {
    const { known } = placesAt(origin);
    if (known.size < ENOUGH) {
      known.set(home.place, home.complete);
    }
  }
  return bindTo(origin, home);
}

/** An edit keeps the place that it was taken from, wherever it is used; only whose lists it edits may change. */
function bindEdit(edit: CollectionEdit, { scope }: Home): CollectionEdit {
  return scope === undefined
    ? edit
    : new CollectionEdit(rebind(edit.collection, scope), edit.action, edit.options);
}

function rebind(collection: Collection, scope: string): Collection {
  const { origin, home } = boundOf(collection);
  const place = home?.place ?? onlyPlace(origin);
  return bindTo(origin, { ...NESTED, ...home, place: place ?? ownText(origin), scope });
}

function bindTo(origin: Collection, home: Home): Collection {
  const { inherited } = home;
  const options = { ...inherited?.options, ...origin.options };
  const copy: Collection =
    inherited && origin.constructor === CollectionClass
      ? new inherited.List(origin.schema, options)
      : Object.assign(copyOf(origin), { options });
  setEdits(copy);
  bound.set(copy, { origin, home });
  return copy;
}

/** Whether a collection stands in a place of its own, rather than being used by itself. */
export function isBound(collection: Collection): boolean {
  return bound.has(collection);
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
  const [only, another] = home ? [home.complete] : placesAt(collection).known.values();
  const complete = (another ? undefined : only) ?? NESTED.complete;
  const joins =
    !collection.options.argsKey && collection.argsKey === CollectionClass.prototype.argsKey;
  return collection.argsKey(...complete(args, joins));
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
    collection.options.nestKey !== undefined ||
    collection.nestKey !== CollectionClass.prototype.nestKey;
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
  const at = placesAt(origin);
  settleAll(at);
  const places = [...at.known.keys()];
  if (places.length > 1) {
    throw new RestitchError(
      'ambiguous-list',
      isDevelopment
        ? `This Collection is several lists, ${readableText(places.join(', '))}: use the \`schema\` of the endpoint that is meant.`
        : readableText(places.join(', ')),
    );
  }
  return places[0];
}

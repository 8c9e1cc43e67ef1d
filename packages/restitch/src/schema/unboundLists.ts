import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { entryOf } from '../host/entryOf.js';
import type { Collection } from './Collection.js';
import type { Housed } from './endpointHome.js';
import { ownText, readableText } from './identityText.js';
import { boundOf, type Home, isBound, type UnboundLists, withoutScope } from './listHomes.js';
import { listsIn } from './listsInSchema.js';
import { isKind } from './SchemaKind.js';
import { collectionShape } from './shape.js';
import type { CollectionShape } from './shapes.js';

interface Places {
  /** The first endpoint at each place, such as `/users`: see `Home` in `listHomes.ts`. */
  readonly known: Map<string, Housed>;
  /** Each function returns the home of an endpoint that may still be under construction. */
  readonly waiting: (() => Home)[];
  /** True if the collection was used before any endpoint had it: see `placeText`. */
  isOlder?: boolean;
}

const placesOf = new WeakMap<Collection, Places>();
/** With two places, a collection is already ambiguous. The error names up to three places. */
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
  // a query. With the defaults of a later endpoint, the same query would find another list.
  if (isRead && known.size < ENOUGH && !known.has(place)) {
    known.set(place, endpoint);
  }
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

/** Returns the built-in methods. A method of the collection that differs is an override. */
function baseOf(collection: Collection): Collection {
  // The cast: every collection has this property.
  return (collection as Collection & { readonly $base: Collection }).$base;
}

const unscoped = new WeakMap<Collection, CollectionShape>();

const isNesting = (collection: Collection): boolean =>
  collection.options.nestKey !== undefined || collection.nestKey !== baseOf(collection).nestKey;

/**
 * A query can use a collection before any endpoint has it. The list is then stored under a text
 * that identifies the collection (`ownText`). The first endpoint must find this list, so the
 * endpoint uses the text instead of its place. A collection with a `nestKey` always has the text.
 */
function placeText(collection: Collection, origin: Collection, home: Home | undefined): string {
  const place = isNesting(collection) ? undefined : (home?.place ?? onlyPlace(origin));
  const at = placesAt(origin);
  at.isOlder ||= place === undefined && at.known.size === 0;
  const [first] = at.known.keys();
  return place === undefined || (at.isOlder && place === first) ? ownText(origin) : place;
}

/** An unbound collection, as in `useQuery(users)`, stands for the list at its only place. */
export const unboundLists: UnboundLists = {
  note(origin, home) {
    note(placesAt(origin), home);
  },
  expect(schema, homeNow) {
    for (const list of listsIn(schema)) {
      if (isKind(list, 'collection')) {
        const places = placesAt(boundOf(list).origin);
        if (places.waiting.length > ENOUGH) {
          settle(places);
        }
        places.waiting.push(homeNow);
      }
    }
  },
  endpointOf(origin) {
    const [only, another] = placesAt(origin).known.values();
    return another ? undefined : only;
  },
  placeOf(origin) {
    return onlyPlace(origin) ?? ownText(origin);
  },
  kind(collection, origin, home) {
    const { name } = collection;
    return name === undefined ? ['at', placeText(collection, origin, home)] : ['name', name];
  },
  copy(origin, { List }, options) {
    return origin.constructor === baseOf(origin).constructor
      ? new List(origin.schema, options)
      : undefined;
  },
  joins(collection) {
    return !collection.options.argsKey && collection.argsKey === baseOf(collection).argsKey;
  },
  inRecords({ collection }) {
    return isNesting(collection)
      ? entryOf(unscoped, collection, () => collectionShape(withoutScope(collection)))
      : undefined;
  },
  renew(schema) {
    for (const list of listsIn(schema)) {
      const collection = 'collection' in list ? list.collection : list;
      if (!isBound(collection)) {
        collectionShape(collection).settle();
      }
    }
  },
};

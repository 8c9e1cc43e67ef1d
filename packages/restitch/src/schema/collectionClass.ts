import { isDevelopment } from '../errors/development.js';
import { hasNames } from './argText.js';
import type {
  Collection,
  CollectionConstructor,
  CollectionFilter,
  CollectionMerge,
  CollectionOptions,
  CollectionSchema,
} from './Collection.js';
import { CollectionEdit, type PageCursor, setEdits } from './CollectionEdit.js';
import { setField } from './setField.js';
import { fitOf } from './listFit.js';
import { define, unboundHook } from './listHomes.js';
import { isKind, setKind } from './SchemaKind.js';
import { editEndpoint, pageEndpoint } from './listEndpoints.js';
import { warnOptions } from './misspelledOptions.js';
import type { Denormalize } from './Schema.js';
import { unboundLists } from './unboundLists.js';
import { type UnionChoice, unionOf } from './Union.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

// The cast: a class cannot declare constructor signatures with different instance types.
export const CollectionClass: CollectionConstructor = class<S extends CollectionSchema> {
  static {
    setKind(this.prototype, 'collection', {
      $define: define,
      $edit: editEndpoint,
      $paginate: pageEndpoint,
    });
  }

  declare readonly '~value': Denormalize<S>;
  declare readonly $membersOf?: typeof schemaOf;
  declare readonly schema: S;
  declare readonly options: CollectionOptions;
  declare readonly name: string | undefined;
  declare readonly push: CollectionEdit<S>;
  declare readonly unshift: CollectionEdit<S>;
  declare readonly assign: CollectionEdit<S, Denormalize<S>>;
  declare readonly remove: CollectionEdit<S>;
  declare readonly move: CollectionEdit<S>;
  declare readonly getPage: CollectionEdit<S, Denormalize<S>>;

  constructor(schema: S, options: CollectionOptions = {}) {
    // The cast: the signatures of `CollectionConstructor` (in `Collection.ts`) determine `S`.
    this.schema = (this.$membersOf?.(schema, options) ?? schema) as S;
    this.options = options;
    this.name = options.name;
    setEdits(this);
  }

  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>> {
    return new CollectionEdit(this, 'page', { cursor });
  }

  addWith(
    merge: CollectionMerge,
    createCollectionFilter?: (...args: any[]) => CollectionFilter,
  ): CollectionEdit<S> {
    return new CollectionEdit(this, 'push', { merge, createCollectionFilter });
  }

  moveWith(merge: CollectionMerge): CollectionEdit<S> {
    return new CollectionEdit(this, 'move', { merge });
  }

  argsKey(...args: any[]): unknown {
    return joinedArgs(args);
  }

  nestKey(_parent: unknown, _key: string): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }

  nonFilterArgumentKeys(key: string): boolean {
    const { nonFilterArgumentKeys: names } = this.options;
    if (names === undefined) {
      return false;
    }
    if (typeof names === 'function') {
      return names(key);
    }
    // `search`, because a pattern with the flag `g` makes `test` stateful.
    return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
  }

  createCollectionFilter(...args: any[]): CollectionFilter {
    return filterOf(this, args);
  }
} as CollectionConstructor;

/** `resource()` does not use these options. A program without `Collection` does not load them. */
export function withOptions(): CollectionConstructor {
  const methods: Record<string, unknown> & ThisType<Collection> = {
    $base: CollectionClass.prototype,
    $membersOf: schemaOf,
    argsKey(...args: any[]): unknown {
      return this.options.argsKey ? this.options.argsKey(...args) : joinedArgs(args);
    },
    nestKey(parent: unknown, key: string) {
      return this.options.nestKey?.(parent, key);
    },
    createCollectionFilter(...args: any[]): CollectionFilter {
      const own = this.options.createCollectionFilter;
      return own ? own(...args) : filterOf(this, args);
    },
  };
  Object.assign(CollectionClass.prototype, methods);
  unboundHook.lists = unboundLists;
  return CollectionClass;
}

function filterOf(
  collection: Pick<Collection, 'nonFilterArgumentKeys'>,
  args: readonly unknown[],
): CollectionFilter {
  return (wanted, record) => fitOf(collection, wanted, record, args) === 'matches';
}

function schemaOf(
  schema: unknown,
  options: CollectionOptions & { readonly schemaAttribute?: string | UnionChoice },
): unknown {
  if (!isKind(schema, 'values') && (!Array.isArray(schema) || schema.length !== 1)) {
    throw new TypeError(
      isDevelopment
        ? '`new Collection(schema)` needs an array with exactly one member schema, or a `Values`.'
        : 'Collection',
    );
  }
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnOptions('Collection', options);
  }
  const { schemaAttribute } = options;
  return schemaAttribute && Array.isArray(schema) ? [unionOf(schema[0], schemaAttribute)] : schema;
}

/**
 * The member `@` lists the field names of all arguments after the first. Without this member,
 * `({ a }, { b })` and `({ a, b }, {})` would be one list.
 */
export const LATER = '@';

/**
 * Joins the arguments of a call into one object. A repeated name gets the index of its argument as
 * a prefix: `({ a: 1 }, { a: 2 })` gives the members `a` and `@1.a`.
 */
function joinedArgs([first, ...rest]: readonly unknown[]): unknown {
  if (rest.every((arg) => arg === undefined)) {
    return first;
  }
  const joined: Record<string, unknown> = {};
  const later: string[] = [];
  for (const [index, arg] of [first, ...rest].entries()) {
    const isNamed = hasNames(arg);
    for (const [name, value] of Object.entries(isNamed ? arg : { [`@${index}`]: arg })) {
      setField(joined, Object.hasOwn(joined, name) ? `@${index}.${name}` : name, value);
      if (index > 0 && value !== undefined && isNamed) {
        later.push(JSON.stringify([index, name]));
      }
    }
  }
  return later.length > 0 ? { ...joined, [LATER]: later.sort().join() } : joined;
}

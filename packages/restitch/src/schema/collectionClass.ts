import { isDevelopment } from '../errors/development.js';
import { hasNames } from './argText.js';
import type {
  CollectionConstructor,
  CollectionFilter,
  CollectionMerge,
  CollectionOptions,
  CollectionSchema,
} from './Collection.js';
import { type CollectionEdit, editOf, type PageCursor, setEdits } from './CollectionEdit.js';
import { setField } from './fields.js';
import { fitOf } from './fit.js';
import { define } from './homes.js';
import { isKind, setKind } from './kind.js';
import { editEndpoint, pageEndpoint } from './listEndpoints.js';
import { mapOf } from './maps.js';
import { warnOptions } from './misspeltOptions.js';
import type { Denormalize } from './Schema.js';
import type { UnionChoice } from './Union.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What `new Collection(…)` runs; `Collection.ts` gives it its types. */
// As for `Values`: a map of classes gives another type of instance.
export const CollectionClass: CollectionConstructor = class<S extends CollectionSchema> {
  static {
    setKind(this.prototype, 'collection', {
      '~base': this.prototype,
      '~define': define,
      '~edit': editEndpoint,
      '~paginate': pageEndpoint,
    });
  }

  declare readonly '~value': Denormalize<S>;
  readonly schema: S;
  readonly options: CollectionOptions;
  readonly name: string | undefined;
  declare readonly push: CollectionEdit<S>;
  declare readonly unshift: CollectionEdit<S>;
  declare readonly assign: CollectionEdit<S, Denormalize<S>>;
  declare readonly remove: CollectionEdit<S>;
  declare readonly move: CollectionEdit<S>;
  declare readonly getPage: CollectionEdit<S, Denormalize<S>>;

  constructor(
    schema: S,
    options: CollectionOptions & { readonly schemaAttribute?: string | UnionChoice } = {},
  ) {
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
    // The cast: the signatures say which schema comes of which arguments.
    this.schema = (
      schemaAttribute && Array.isArray(schema) ? [mapOf(schema[0], schemaAttribute)] : schema
    ) as S;
    this.options = options;
    this.name = options.name;
    setEdits(this);
  }

  paginated(cursor: PageCursor): CollectionEdit<S, Denormalize<S>> {
    return editOf(this, 'page', { cursor });
  }

  addWith(
    merge: CollectionMerge,
    createCollectionFilter?: (...args: any[]) => CollectionFilter,
  ): CollectionEdit<S> {
    return editOf(this, 'push', { merge, createCollectionFilter });
  }

  moveWith(merge: CollectionMerge): CollectionEdit<S> {
    return editOf(this, 'move', { merge });
  }

  argsKey(...args: any[]): unknown {
    const { argsKey } = this.options;
    return argsKey ? argsKey(...args) : joinedArgs(args);
  }

  nestKey(parent: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
    return this.options.nestKey?.(parent, key);
  }

  nonFilterArgumentKeys(key: string): boolean {
    const { nonFilterArgumentKeys: names } = this.options;
    if (names === undefined) {
      return false;
    }
    if (typeof names === 'function') {
      return names(key);
    }
    // `search` rather than `test`: a pattern with the flag `g` remembers where it stopped.
    return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
  }

  createCollectionFilter(...args: any[]): CollectionFilter {
    const own = this.options.createCollectionFilter;
    return own
      ? own(...args)
      : (wanted, record) =>
          fitOf((key) => this.nonFilterArgumentKeys(key), wanted, record, args) === 'matches';
  }
} as CollectionConstructor;

/**
 * Under this name of its arguments, a list tells which of them are no members of the first argument of a call: `({ a }, { b })` is
 * another question than `({ a, b }, {})`. It decides no membership, and no rule of a user's own is given it.
 */
export const LATER = '@';

/** All arguments of a call as one: the members of the first, and what further ones add. Names that stand twice stay apart. */
function joinedArgs([first, ...rest]: readonly unknown[]): unknown {
  if (rest.every((arg) => arg === undefined)) {
    return first;
  }
  const joined: Record<string, unknown> = {};
  const later: string[] = [];
  for (const [index, arg] of [first, ...rest].entries()) {
    for (const [name, value] of hasNames(arg)
      ? Object.entries(arg)
      : [[`@${index}`, arg] as const]) {
      setField(joined, Object.hasOwn(joined, name) ? `@${index}.${name}` : name, value);
      if (index > 0 && value !== undefined && hasNames(arg)) {
        later.push(JSON.stringify([index, name]));
      }
    }
  }
  return later.length > 0 ? { ...joined, [LATER]: later.sort().join() } : joined;
}

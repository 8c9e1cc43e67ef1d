import type { CollectionOptions, DenormalizeNullable } from '../index.js';
import { dataOf, looking } from './reading.js';
import { useScope } from './scope.js';
import { useView } from './useView.js';

/** What names a row: some of its fields; numbers and their texts are the same. */
export type RowFields<T> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]?:
    | T[K]
    | (T[K] extends string | number ? string | number : never);
};

/** What `useQuery` takes after a schema: for an entity its key fields, for a collection the arguments of its list. */
export type QueryArgs<S> = S extends abstract new (...args: never) => infer T
  ? readonly [fields: RowFields<T>]
  : S extends { readonly options: CollectionOptions<infer Args> }
    ? Args
    : readonly unknown[];

/**
 * Reads the cache through a schema, without any endpoint: an entity by its primary key fields, a collection by its
 * arguments. Undefined when not there, or when the argument is `null`; never sends a request.
 *
 * @example
 * ```tsx
 * import { Entity } from 'restitch';
 * import { useQuery } from 'restitch/react';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * export function Author({ id }: { id: string }) {
 *   return <i>{useQuery(User, { id })?.name ?? 'somebody'}</i>;
 * }
 * ```
 */
export function useQuery<S>(
  schema: S,
  ...args: QueryArgs<S> | readonly [null]
): DenormalizeNullable<S> | undefined {
  const { root } = useScope();
  const view = args[0] === null ? undefined : root.controller.observeQuery(schema, ...args);
  return dataOf(useView(root, view, looking));
}

import type { QueryArgs, QueryValue } from '../index.js';
import type { Absent } from './absent.js';
import { dataOf, looking } from './reading.js';
import { useScope } from './scope.js';
import { useView } from './useView.js';

/**
 * Reads the cache through a schema, without any endpoint: an entity by its primary key fields, a collection by its
 * arguments. Undefined when not there, or when the argument is `null`; an object of schemas keeps its shape. Never sends a
 * request.
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
): QueryValue<S> | Absent<S> {
  const { root } = useScope();
  // The cast drops `[null]`, which the condition has ruled out.
  const view =
    args[0] === null ? undefined : root.controller.observeQuery(schema, ...(args as QueryArgs<S>));
  // The cast: of nothing it is what the schema leaves.
  return dataOf(useView(root, view, looking, schema), schema) as QueryValue<S>;
}

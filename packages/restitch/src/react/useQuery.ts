import type { QueryArgs, QueryValue } from '../index.js';
import type { Absent } from './valueWithoutData.js';
import { dataOf, looking } from './readerModes.js';
import { useScope } from './scope.js';
import { useView } from './useView.js';

/**
 * Reads the cache through a schema, without an endpoint. Never sends a request.
 *
 * @remarks Pass the primary key fields of an entity, or the arguments of a collection. Returns
 * undefined if nothing is stored or the argument is `null`. An object of schemas keeps its fields:
 * without data, `{ user: User }` gives `{ user: undefined }`.
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
  // The cast: the condition has ruled out `[null]`.
  const view =
    args[0] === null ? undefined : root.controller.observeQuery(schema, ...(args as QueryArgs<S>));
  // The cast: without data, the value has the type `Absent<S>`.
  return dataOf(useView(root, view, looking, schema), schema) as QueryValue<S>;
}

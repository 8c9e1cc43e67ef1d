import type { QueryArgs, QueryValue } from '../index.js';
import { dataOf, looking } from './reading.js';
import { useScope } from './scope.js';
import { useView } from './useView.js';

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
): QueryValue<S> | undefined {
  const { root } = useScope();
  const view = args[0] === null ? undefined : root.controller.observeQuery(schema, ...args);
  return dataOf(useView(root, view, looking, schema));
}

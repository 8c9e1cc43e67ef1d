import type { DenormalizeNullable } from '../index.js';
import { dataOf, looking } from './reading.js';
import { useRoot } from './root.js';
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
  ...args: readonly any[] // `any`: entity fields or the collection's own arguments
): DenormalizeNullable<S> | undefined {
  const { controller } = useRoot();
  const view = args[0] === null ? undefined : controller.observeQuery(schema, ...args);
  return dataOf(useView(view, looking));
}

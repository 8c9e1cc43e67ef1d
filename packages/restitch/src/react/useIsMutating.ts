import type { EndpointInterface, Filter } from '../index.js';
import type { FailedArgs } from './useError.js';
import { useRequestCount } from './useIsFetching.js';

/**
 * Returns the number of mutations in flight. Pass an endpoint, an endpoint with arguments or a
 * filter to count only some of them.
 *
 * @remarks `null` as the only argument returns 0. The component renders again only when the number
 * changes.
 *
 * @example
 * ```tsx
 * import { Entity } from 'restitch';
 * import { useIsMutating } from 'restitch/react';
 *
 * class Todo extends Entity {
 *   id = '';
 * }
 *
 * export function SavingMark({ id }: { id: string }) {
 *   return useIsMutating({ entity: Todo, pk: id }) > 0 ? <i>Saving…</i> : null;
 * }
 * ```
 */
export function useIsMutating<E extends EndpointInterface>(
  endpoint?: E,
  ...args: FailedArgs<E> | readonly []
): number;
export function useIsMutating(filter: Filter): number;
export function useIsMutating(
  selected?: EndpointInterface | Filter,
  ...args: readonly unknown[]
): number {
  return useRequestCount(selected, args, MUTATIONS);
}

const MUTATIONS: Filter = { sideEffect: true };

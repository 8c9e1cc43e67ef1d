import type { Entity, Pending } from '../index.js';
import { NONE_PENDING } from '../controller/pending.js';
import { pendingView } from '../controller/PendingView.js';
import { dataOf, looking } from './readerModes.js';
import { useScope } from './scope.js';
import { useView } from './useView.js';

/**
 * Returns the mutations in flight whose optimistic updates change a record. Use it to show that a
 * record is being saved.
 *
 * @remarks Without mutations or without a record, the result is always the same empty array. The
 * component renders only when the mutations of this record change.
 *
 * @example
 * ```tsx
 * import { Entity } from 'restitch';
 * import { usePending } from 'restitch/react';
 *
 * class Post extends Entity {
 *   id = '';
 *   title = '';
 * }
 *
 * export function PostTitle({ post }: { post: Post }) {
 *   const pending = usePending(post);
 *   return <h2 aria-busy={pending.length > 0}>{post.title}</h2>;
 * }
 * ```
 */
export function usePending(record: Entity | null | undefined): readonly Pending[] {
  const { root } = useScope();
  const view = record ? pendingView(root.controller, record) : undefined;
  return dataOf(useView(root, view, looking, undefined)) ?? NONE_PENDING;
}

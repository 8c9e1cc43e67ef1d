import { type Entity, identityOf } from '../schema/Entity.js';
import type { Cell } from '../store/cells/Cell.js';
import { isTemporaryKey } from '../store/cells/keys.js';
import { firstKeys } from '../store/optimistic/firstKeys.js';
import { NO_LINKS } from '../store/views/nodes.js';

/**
 * Returns a React `key` for a record: the primary key, or the temporary key of a created record.
 * The result stays the same when the server returns the real key. React therefore does not mount
 * the component of the record again.
 *
 * @example
 * ```tsx
 * import { Entity, keyOf } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 *   title = '';
 * }
 *
 * export function Posts({ posts }: { posts: readonly Post[] }) {
 *   return posts.map((post) => <p key={keyOf(post)}>{post.title}</p>);
 * }
 * ```
 */
export function keyOf(record: Entity): string {
  return known.get(record) ?? String(identityOf(record).pk);
}

/** Maps cells and class instances of created rows to the temporary key, and others to their key. */
const known = new WeakMap<object, string>();

firstKeys.note = (cell: Cell, present: Cell | undefined, temporary: string): void => {
  if (!present || present.nodes === NO_LINKS || !present.current) {
    known.set(present ?? cell, known.get(cell) ?? temporary);
  }
};

firstKeys.pass = (cell, instance, { custom, related }) => {
  // A custom `pk` can return a text that contains the temporary key, or read a related record that
  // is not stored: the instance then has the default record.
  const isOther = isTemporaryKey(cell.pk) || (custom.pk && related.length > 0);
  const key = known.get(cell) ?? (isOther ? cell.pk : undefined);
  if (key !== undefined) {
    known.set(instance, key);
  }
};

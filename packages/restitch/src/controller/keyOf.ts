import { type Entity, identityOf } from '../schema/Entity.js';
import { firstKeyOf } from '../store/optimistic/firstKeys.js';

/**
 * Returns a React `key` for a record: its primary key, or its temporary key if this program created
 * the record. The temporary key stays after the server has named the record, so React does not
 * mount its component again.
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
  return firstKeyOf(record) ?? String(identityOf(record).pk);
}

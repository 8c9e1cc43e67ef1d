import { type Entity, identityOf } from '../schema/Entity.js';
import { firstKeyOf } from '../store/optimistic/firstKeys.js';

/**
 * Returns a React `key` for a record. It is the primary key, except for a record that was created
 * in this program: that record keeps its temporary key after the server has named it. So its
 * component is not mounted again.
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

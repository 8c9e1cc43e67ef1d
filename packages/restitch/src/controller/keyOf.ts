import { type Entity, identityOf } from '../schema/Entity.js';
import { firstKeyOf } from '../store/optimistic/firstKeys.js';

/**
 * Returns a React `key` for a record. A record that was created in this program keeps its temporary
 * key after the server has named it, so its component is not mounted again. For any other record,
 * the key is the primary key.
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

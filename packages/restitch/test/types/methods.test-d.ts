import { RestEndpoint, type RestGenerics } from 'restitch';
import { type Equal, same } from './support.js';

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {}

// Every method of HTTP, and any other that is not nearly one
for (const define of [
  () => new RestEndpoint({ path: '/a', method: 'PATCH' }),
  () => new Api({ path: '/a', method: 'OPTIONS' }),
  () => new RestEndpoint({ path: '/a', method: 'PROPFIND' }),
  () => new RestEndpoint({ path: '/a', method: 'QUERY' }),
  () => new RestEndpoint({ path: '/a', method: 'LINK' }),
  () => new RestEndpoint({ path: '/a', method: 'POST' as string }),
]) {
  void define();
}
const post = new RestEndpoint({ path: '/a', method: 'POST' });
same<Equal<typeof post.method, 'POST'>>();
const find = post.extend({ method: 'PROPFIND' });
same<Equal<typeof find.method, 'PROPFIND'>>();

// A letter swapped, missing, added, changed
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'POTS' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'PSOT' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'POS' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'POSTT' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'POSTS' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'PXST' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'DELET' });
// @ts-expect-error
new RestEndpoint({ path: '/a', method: 'OST' });
// @ts-expect-error
new Api({ path: '/a', method: 'PACTH' });

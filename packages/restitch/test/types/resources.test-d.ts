import {
  type ArgsOf,
  Collection,
  type Controller,
  type EndpointInterface,
  Entity,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type RestGenerics,
  type ValueOf,
} from 'restitch';
import { type Equal, same } from './support.js';

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
}
declare const controller: Controller;
declare function read<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;

const Posts = resource({
  path: '/blogs/:blog/posts/:id',
  schema: Post,
  searchParams: {} as { author?: string },
});

// Arguments
void Posts.get({ blog: 1, id: 2 });
// @ts-expect-error the list's search parameters
void Posts.get({ blog: 1, id: 2, author: 'x' });
void Posts.getList({ blog: 1 });
void Posts.getList({ blog: 1, author: 'x' });
// @ts-expect-error the member's placeholder
void Posts.getList({ blog: 1, id: 2 });
// @ts-expect-error misspelled
void Posts.getList({ blog: 1, auther: 'x' });
void Posts.update({ blog: 1, id: 2 }, { title: 'x' });
// @ts-expect-error misspelled field
void Posts.update({ blog: 1, id: 2 }, { titel: 'x' });
void Posts.partialUpdate({ blog: 1, id: 2 }, { votes: 1 });
// @ts-expect-error wrong type
void Posts.partialUpdate({ blog: 1, id: 2 }, { votes: '1' });
void Posts.delete({ blog: 1, id: 2 });
// @ts-expect-error no body
void Posts.delete({ blog: 1, id: 2 }, {});

for (const create of [Posts.getList.push, Posts.getList.unshift]) {
  void create({ blog: 1 }, { title: 'x' });
  void create({ blog: 1, author: 'x' }, [{ title: 'x' }, { votes: 1 }]);
  void create({ blog: 1 }, new FormData());
  // @ts-expect-error misspelled field
  void create({ blog: 1 }, { titel: 'x' });
  // @ts-expect-error the body is required
  void create({ blog: 1 });
}
// @ts-expect-error not a list
void Posts.get.push({ blog: 1 }, {});

// An explicit body
const Strict = resource({
  path: '/posts/:id',
  schema: Post,
  body: {} as { title: string; votes: number },
});
void Strict.getList();
// @ts-expect-error takes no argument without `searchParams`
void Strict.getList({ author: 'x' });
void Strict.getList.push({ title: 'x', votes: 1 });
// @ts-expect-error a field is missing
void Strict.getList.push({ title: 'x' });
// @ts-expect-error a field is missing
void Strict.update({ id: 1 }, { title: 'x' });
void Strict.partialUpdate({ id: 1 }, { title: 'x' });
// @ts-expect-error an unknown field
void Strict.partialUpdate({ id: 1 }, { titel: 'x' });

// A form in place of a body
void Posts.update({ blog: 1, id: 2 }, new FormData());
void Posts.partialUpdate({ blog: 1, id: 2 }, new FormData());
void Strict.update({ id: 1 }, new FormData());
void Strict.partialUpdate({ id: 1 }, new FormData());
// @ts-expect-error the parameters come first
void Strict.update(new FormData());
// @ts-expect-error not any object
void Strict.update({ id: 1 }, new Blob());
class Chart extends Entity {
  id = '';
  values: number[] = [];
}
const Charts = resource({ path: '/charts/:id', schema: Chart });
void Charts.partialUpdate({ id: 1 }, new FormData());
Posts.partialUpdate.extend({
  // What reads the fields of a body may go on doing so.
  getOptimisticResponse: (_snapshot, { id }, body) => ({ id, title: body.title?.trim() }),
});
const Bodiless = resource({ path: '/posts/:id', schema: Post, body: undefined });
void Bodiless.update({ id: 1 });
// @ts-expect-error no body, no form
void Bodiless.update({ id: 1 }, new FormData());

// Literals, and what readers get
same<Equal<typeof Posts.update.method, 'PUT'>>();
same<Equal<typeof Posts.get.sideEffect, undefined>>();
same<Equal<typeof Posts.delete.sideEffect, true>>();
same<Equal<typeof Posts.getList.path, '/blogs/:blog/posts'>>();
same<Equal<ReturnType<typeof read<typeof Posts.get>>, Post>>();
same<Equal<ReturnType<typeof read<typeof Posts.getList>>, Post[]>>();
// @ts-expect-error a mutation is not read
read(Posts.update, { blog: 1, id: 2 }, {});
// @ts-expect-error a mutation is not read
read(Posts.getList.push, { blog: 1 }, {});
// @ts-expect-error a mutation is not read
controller.observe(Posts.update, { blog: 1, id: 2 }, {});
// @ts-expect-error a mutation is not read
controller.subscribe(Posts.update, { blog: 1, id: 2 }, {});
// @ts-expect-error a mutation is not read
void controller.fetchIfStale(Posts.update, { blog: 1, id: 2 }, {});
const fetched = controller.fetch(Posts.get, { blog: 1, id: 2 });
same<Equal<Awaited<typeof fetched>, Post>>();
const pushed = controller.fetch(Posts.getList.push, { blog: 1 }, { title: 'x' });
same<Equal<Awaited<typeof pushed>, Post>>();
const several = controller.fetch(Posts.getList.push, { blog: 1 }, [{ title: 'x' }]);
same<Equal<Awaited<typeof several>, Post[]>>();
// @ts-expect-error misspelled field of one of several
void controller.fetch(Posts.getList.push, { blog: 1 }, [{ titel: 'x' }]);
const removed = controller.fetch(Posts.delete, { blog: 1, id: 2 });
same<Equal<Awaited<typeof removed>, Post | undefined>>();
// @ts-expect-error `id` is missing
void controller.fetch(Posts.get, { blog: 1 });

// A collection inside an object
const page = new RestEndpoint({
  path: '/posts',
  searchParams: {} as { cursor?: string },
  schema: { results: new Collection([Post]), next: '' },
});
same<Equal<ReturnType<typeof read<typeof page>>, { results: Post[]; next: string }>>();
void page.push({ title: 'x' });
// @ts-expect-error misspelled field
void page.push({ titel: 'x' });
const created = controller.fetch(page.push, { cursor: 'x' }, { title: 'x' });
same<Equal<Awaited<typeof created>, Post>>();

// extend by name
const Named = Posts.extend('latest', { path: '/latest' }).extend('get', {
  searchParams: {} as { draft?: boolean },
  process(value: { id: string }, params) {
    // @ts-expect-error not a parameter
    params.nothere;
    return [value.id, params.draft] as const;
  },
});
void Named.latest();
same<Equal<Awaited<ReturnType<typeof Named.get>>, readonly [string, boolean | undefined]>>();
void Named.getList.push({ blog: 1 }, { title: 'x' });
void Named.extend('latest', { path: '/last/:n' }).latest({ n: 1 });
// @ts-expect-error a number is not a string
Posts.extend('get', { urlPrefix: 5 });

// A new name without a schema has none
same<Equal<typeof Named.latest.schema, undefined>>();
const bulk = Posts.extend('bulkDelete', {
  path: '/posts/bulk-delete',
  method: 'POST',
  body: {} as { ids: string[] },
}).bulkDelete;
same<Equal<typeof bulk.schema, undefined>>();
const deleted = controller.fetch(bulk, { ids: ['1'] });
void deleted.then((count: number) => count);
const stats = Posts.extend('stats', {
  path: '/stats',
  process: (value: { posts: number }) => value.posts,
}).stats;
same<Equal<ReturnType<typeof read<typeof stats>>, number>>();
const file = Posts.extend('file', { path: '/posts/:id/file', content: 'blob' }).file;
same<Equal<ReturnType<typeof read<typeof file>>, Blob>>();
const latest = Posts.extend('latest', { path: '/latest', schema: Post }).latest;
same<Equal<ReturnType<typeof read<typeof latest>>, Post>>();
// A known name keeps it
const kept = Posts.extend('get', { path: '/x' }).extend('update', { timeout: 5 });
same<Equal<ReturnType<typeof read<typeof kept.get>>, Post>>();
same<Equal<typeof kept.update.schema, typeof Post>>();
const again = Posts.extend('latest', { path: '/latest', schema: Post }).extend('latest', {
  timeout: 5,
}).latest;
same<Equal<ReturnType<typeof read<typeof again>>, Post>>();
// Other options of `get` are taken over
const searched = Posts.extend('get', { searchParams: {} as { draft: boolean }, tag: 'x' }).extend(
  'preview',
  { path: '/preview' },
).preview;
void searched({ draft: true });
// @ts-expect-error the search parameter is missing
void searched();
same<Equal<typeof searched.tag, string>>();

// extend by object
const Patched = Posts.extend({
  get: {
    process(value: Blob, { id }) {
      same<Equal<typeof id, string | number>>();
      return value;
    },
  },
  getList: {
    searchParams: {} as { tag: string },
    getHeaders: (headers) => ({ ...headers, a: 'b' }),
  },
});
same<Equal<Awaited<ReturnType<typeof Patched.get>>, Blob>>();
void Patched.getList({ blog: 1, tag: 'x' });
// @ts-expect-error `tag` is missing
void Patched.getList({ blog: 1 });
same<Equal<typeof Patched.update, typeof Posts.update>>();
Posts.extend({
  // @ts-expect-error not a parameter
  get: { process: (value: Blob, { nothere }) => [value, nothere] },
});

// @ts-expect-error not a standard name
Posts.extend({ nothere: {} });

// extend by function
const Made = Posts.extend((base) => ({
  vote: base.get.extend({ path: '/posts/:id/vote', method: 'POST', body: undefined }),
  getList: base.getList.extend({ schema: { results: new Collection([Post]), total: 0 } }),
}));
void Made.vote({ id: 1 });
same<Equal<ReturnType<typeof read<typeof Made.getList>>, { results: Post[]; total: number }>>();
void Made.getList.push({ blog: 1 }, { title: 'x' });
const Twice = Made.extend('vote', { method: 'PUT' }).extend({ delete: { timeout: 5 } });
same<Equal<typeof Twice.vote.method, 'PUT'>>();

// A class of one's own
class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  account = 'me';
  signIn(): string {
    return this.account;
  }
}
const Own = resource({
  path: '/posts/:id',
  schema: Post,
  Endpoint: Api,
  urlPrefix: 'https://a.example',
});
same<Equal<typeof Own.get.account, string>>();
void Own.get({ id: 1 });
// @ts-expect-error misspelled
void Own.get({ idd: 1 });
Own.getList.push.signIn();
const OwnNamed = Own.extend('me', { path: '/me' });
OwnNamed.me.signIn();
OwnNamed.get.signIn();
const OwnPatched = Own.extend({
  get: { timeout: 5 },
  update: { process: (value: string, { id }) => [value, id] },
});
OwnPatched.get.signIn();
OwnPatched.update.signIn();
OwnPatched.delete.signIn();
const OwnMade = Own.extend((base) => ({ other: base.get.extend({ path: '/other' }) }));
OwnMade.other.signIn();
OwnMade.getList.signIn();

// Wrong options
// @ts-expect-error a number is not a string
resource({ path: '/posts/:id', schema: Post, urlPrefix: 5 });
// @ts-expect-error `path` is missing
resource({ pth: '/posts/:id', schema: Post });
// @ts-expect-error not a class
resource({ path: '/posts/:id', schema: Post, Endpoint: 5 });

const anyEndpoint: EndpointInterface[] = [
  Posts.get,
  Posts.getList,
  Posts.getList.push,
  Posts.update,
  Own.get,
  Made.vote,
];
const spread = { ...Posts, get: Posts.get.extend({ timeout: 1 }) };
void spread.extend('get', { timeout: 5 });
void anyEndpoint;

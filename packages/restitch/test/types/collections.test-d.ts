import {
  type ArgsOf,
  Collection,
  type CollectionFilter,
  type Controller,
  Entity,
  Query,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  Union,
  type ValueOf,
  Values,
} from 'restitch';
import { type Equal, same } from './support.js';

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
}
declare const controller: Controller;
declare function read<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;
/** Whether a type is `any`. */
type IsAny<T> = 0 extends 1 & T ? true : false;

const Posts = resource({
  path: '/blogs/:blog/posts/:id',
  schema: Post,
  searchParams: {} as { author?: string },
});
const Strict = resource({
  path: '/posts/:id',
  schema: Post,
  body: {} as { title: string; votes: number },
});

// Nothing of an edit is `any`
const { push, unshift, remove, move } = Posts.getList;
same<Equal<IsAny<typeof push>, false>>();
same<Equal<IsAny<typeof push.schema>, false>>();
same<Equal<IsAny<typeof push.body>, false>>();
same<Equal<IsAny<typeof unshift.schema>, false>>();
same<Equal<IsAny<typeof unshift.body>, false>>();
same<Equal<IsAny<typeof remove.schema>, false>>();
same<Equal<IsAny<typeof remove.body>, false>>();
same<Equal<IsAny<typeof move.schema>, false>>();
same<Equal<IsAny<typeof move.body>, false>>();
const wrapped = new RestEndpoint({
  path: '/posts',
  schema: { results: new Collection([Post]), next: '' },
});
same<Equal<IsAny<typeof wrapped.push.schema>, false>>();
same<Equal<IsAny<typeof wrapped.push.body>, false>>();
same<Equal<IsAny<typeof wrapped.remove.schema>, false>>();
same<Equal<IsAny<typeof wrapped.move.body>, false>>();
same<Equal<typeof wrapped.push.method, 'POST'>>();
same<Equal<typeof wrapped.move.method, 'PATCH'>>();
same<Equal<typeof wrapped.move.sideEffect, true>>();

// A collection in a query, and several objects deep
const counted = new RestEndpoint({
  path: '/posts',
  schema: new Query(new Collection([Post]), (posts) => posts.map(({ votes }) => votes)),
  paginationField: 'page',
});
same<Equal<ReturnType<typeof read<typeof counted>>, number[]>>();
const queried = controller.fetch(counted.push, { title: 'x' });
same<Equal<Awaited<typeof queried>, Post>>();
void counted.unshift([{ title: 'x' }, new Post()]);
// @ts-expect-error misspelled field
void counted.push({ titel: 'x' });
same<Equal<ReturnType<typeof read<typeof counted.getPage>>, number[]>>();
void counted.getPage({ page: 2 });
const deep = new RestEndpoint({
  path: '/posts',
  schema: { at: '', data: { page: { results: new Collection([Post]), next: '' }, tags: [''] } },
  paginationField: 'cursor',
});
const deeply = controller.fetch(deep.push, { title: 'x' });
same<Equal<Awaited<typeof deeply>, Post>>();
same<
  Equal<
    ReturnType<typeof read<typeof deep.getPage>>,
    { at: string; data: { page: { results: Post[]; next: string }; tags: string[] } }
  >
>();
const queriedDeep = new RestEndpoint({
  path: '/posts',
  schema: new Query({ data: { results: new Collection([Post]) } }, ({ data }) => data.results[0]),
});
const inDepth = controller.fetch(queriedDeep.push, { title: 'x' });
same<Equal<Awaited<typeof inDepth>, Post>>();
// Without one there is nothing to edit
interface Tree {
  readonly name: string;
  readonly parts: readonly Tree[];
}
const plain = new RestEndpoint({
  path: '/tree',
  schema: { root: {} as Tree, at: new Date(), post: Post, posts: [Post] },
});
same<Equal<typeof plain.push, undefined>>();

// What an edit resolves to
const pushed = controller.fetch(Posts.getList.push, { blog: 1 }, { title: 'x' });
same<Equal<Awaited<typeof pushed>, Post>>();
const moved = controller.fetch(Posts.getList.move, { blog: 1, id: 1 }, { votes: 1 });
same<Equal<Awaited<typeof moved>, Post>>();
const removed = controller.fetch(Posts.getList.remove, { blog: 1 }, { votes: 1 });
same<Equal<Awaited<typeof removed>, Post>>();
// @ts-expect-error no such field
void pushed.then(({ nothere }) => nothere);

// A full body for creates, any part of it for edits
void Strict.getList.push({ title: 'x', votes: 1 });
void Strict.getList.push([{ title: 'x', votes: 1 }]);
void Strict.getList.unshift(new FormData());
// @ts-expect-error a field is missing
void Strict.getList.unshift({ title: 'x' });
// @ts-expect-error a field is missing in one of several
void Strict.getList.push([{ title: 'x' }]);
void Strict.getList.remove({ title: 'x' });
void Strict.getList.remove(new FormData());
void Strict.getList.move({ id: 1 }, { votes: 1 });
// @ts-expect-error an unknown field
void Strict.getList.move({ id: 1 }, { nothere: 1 });
// @ts-expect-error a wrong type
void Strict.getList.remove({ votes: '1' });
// @ts-expect-error the member has to be named
void Strict.getList.move({ votes: 1 });

// Lists of several classes
class Link extends Entity {
  id = '';
  type = 'link' as const;
  url = '';
}
class Note extends Entity {
  id = '';
  type = 'note' as const;
  text = '';
}
const Feed = resource({
  path: '/feed/:id',
  schema: new Union({ link: Link, note: Note }, 'type'),
});
for (const item of read(Feed.getList)) {
  if (item.type === 'link') same<Equal<typeof item, Link>>();
  else same<Equal<typeof item, Note>>();
  // @ts-expect-error not in every class
  void item.url;
}
const created = controller.fetch(Feed.getList.push, { type: 'note', text: 'x' });
same<Equal<Awaited<typeof created>, Link | Note>>();
const getFeed = new RestEndpoint({
  path: '/feed',
  schema: new Collection([{ link: Link, note: Note }], { schemaAttribute: 'type' }),
});
same<Equal<ReturnType<typeof read<typeof getFeed>>, (Link | Note)[]>>();
const another = controller.fetch(getFeed.push, { type: 'note', text: 'x' });
same<Equal<Awaited<typeof another>, Link | Note>>();

// Maps of records
const Rates = Posts.extend('getList', { schema: new Collection(new Values(Post)) });
same<Equal<ReturnType<typeof read<typeof Rates.getList>>, Record<string, Post>>>();
const assigned = controller.fetch(Rates.getList.assign, { blog: 1 }, { x: { title: 'x' } });
same<Equal<Awaited<typeof assigned>, Record<string, Post>>>();
same<Equal<IsAny<typeof Rates.getList.assign.schema>, false>>();
same<Equal<IsAny<typeof Rates.getList.assign.body>, false>>();
// @ts-expect-error a record for each key
void Rates.getList.assign({ blog: 1 }, { title: 'x' });
// @ts-expect-error a misspelled field
void Rates.getList.assign({ blog: 1 }, { x: { titel: 'x' } });
// @ts-expect-error a map has no end
void Rates.getList.push({ blog: 1 }, { title: 'x' });
// @ts-expect-error a list has no keys
void Posts.getList.assign({ blog: 1 }, { x: { title: 'x' } });
same<Equal<typeof Posts.getList.assign, undefined>>();
same<Equal<typeof Rates.getList.push, undefined>>();

// Places of one's own
const pinned = Posts.getList.push.extend({
  schema: Posts.getList.schema.addWith(([first = [], ...rest], added) => {
    same<Equal<typeof added, readonly string[]>>();
    return [first, added, rest].flat();
  }),
});
const pinning = controller.fetch(pinned, { blog: 1 }, { title: 'x' });
same<Equal<Awaited<typeof pinning>, Post>>();
// @ts-expect-error keys are text
Posts.getList.schema.addWith(() => [1]);
// @ts-expect-error an array
Posts.getList.schema.moveWith((existing) => existing[0]);

// Options, and subclasses that override them
new Collection([Post], {
  name: 'posts',
  argsKey: ({ author }: { author: string }) => ({ author }),
  nonFilterArgumentKeys: /sort/,
  createCollectionFilter:
    ({ author }: { author: string }) =>
    (list, record) =>
      list['author'] === author && record['votes'] !== 0,
});
// @ts-expect-error a text
new Collection([Post], { name: 5 });
// @ts-expect-error exactly one schema or a map of one
new Collection(Post);
class Sorted<S extends readonly unknown[]> extends Collection<S> {
  override readonly name = 'sorted';
  override argsKey({ author }: { author: string }): object {
    return { author };
  }
  override nestKey(parent: { id: string }, _key: string): Record<string, unknown> {
    return { author: parent.id };
  }
  override nonFilterArgumentKeys(key: string): boolean {
    return key === 'sort';
  }
  override createCollectionFilter(...args: unknown[]): CollectionFilter {
    return (list, record) => super.createCollectionFilter(...args)(list, record);
  }
}
const sorted = new RestEndpoint({ path: '/posts', schema: new Sorted([Post]) });
same<Equal<ReturnType<typeof read<typeof sorted>>, Post[]>>();
void sorted.push({ title: 'x' });

import {
  Collection,
  type Controller,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
  type ArgsOf,
  type ReadEndpoint,
  type ValueOf,
} from 'restitch';
import { type Equal, same } from './support.js';

class Post extends Entity {
  id = '';
  title = '';
}
declare const controller: Controller;
declare function read<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;

const Posts = resource({
  path: '/blogs/:blog/posts/:id',
  schema: Post,
  searchParams: {} as { author?: string },
  paginationField: 'page',
});
const Plain = resource({ path: '/posts/:id', schema: Post });

// getPage takes the field beside the other parameters
void Posts.getList.getPage({ blog: 1, page: 2 });
void Posts.getList.getPage({ blog: 1, page: '2', author: 'x' });
void Posts.getList.getPage({ blog: 1, page: true });
// @ts-expect-error the field is missing
void Posts.getList.getPage({ blog: 1 });
// @ts-expect-error the placeholder is missing
void Posts.getList.getPage({ page: 1 });
// @ts-expect-error neither text, number nor boolean
void Posts.getList.getPage({ blog: 1, page: {} });
// @ts-expect-error misspelled
void Posts.getList.getPage({ blog: 1, page: 2, auther: 'x' });
// @ts-expect-error no body
void Posts.getList.getPage({ blog: 1, page: 2 }, {});
// @ts-expect-error the list itself has no such parameter
void Posts.getList({ blog: 1, page: 2 });
// @ts-expect-error without the field there are no pages
void Plain.getList.getPage({ page: 2 });
// @ts-expect-error a record has no pages
void Posts.get.getPage({ blog: 1, id: 1, page: 2 });
same<Equal<typeof Plain.getList.getPage, undefined>>();

// What a page reads as
const paged = controller.fetch(Posts.getList.getPage, { blog: 1, page: 2 });
same<Equal<Awaited<typeof paged>, Post[]>>();
same<Equal<ReturnType<typeof read<typeof Posts.getList.getPage>>, Post[]>>();
same<Equal<typeof Posts.getList.getPage.method, 'GET'>>();
same<Equal<typeof Posts.getList.getPage.sideEffect, undefined>>();
same<Equal<0 extends 1 & (typeof Posts.getList.getPage)['schema'] ? true : false, false>>();

// A list inside an object
const Wrapped = Posts.extend('getList', {
  schema: { results: new Collection([Post]), next: '' as string | null },
});
same<
  Equal<
    ReturnType<typeof read<typeof Wrapped.getList.getPage>>,
    { results: Post[]; next: string | null }
  >
>();
void Wrapped.getList.push({ blog: 1 }, { title: 'x' });

// getPage survives extend in every form
void Posts.extend('getList', { dataExpiryLength: 1 }).getList.getPage({ blog: 1, page: 2 });
void Posts.extend({ getList: { timeout: 5 } }).getList.getPage({ blog: 1, page: 2 });
void Posts.extend((base) => ({ all: base.getList.extend({ path: '/all' }) })).all.getPage({
  page: 2,
});
void Posts.extend('other', { path: '/other' }).getList.getPage({ blog: 1, page: 2 });
// @ts-expect-error the new field is missing
void Posts.getList.extend({ paginationField: 'cursor' }).getPage({ blog: 1, page: 2 });
void Posts.getList.extend({ paginationField: 'cursor' }).getPage({ blog: 1, cursor: 'x' });
const replaced = Posts.getList.extend({ searchParams: {} as { tag: string } });
void replaced.getPage({ blog: 1, tag: 'x', page: 2 });
// @ts-expect-error the new search parameter is missing
void replaced.getPage({ blog: 1, page: 2 });

// paginated by another field
const byCursor = Posts.getList.paginated('cursor');
void byCursor({ blog: 1, cursor: 'x', author: 'y' });
// @ts-expect-error the cursor is missing
void byCursor({ blog: 1 });
// @ts-expect-error another field
void byCursor({ blog: 1, cursor: 'x', page: 2 });
same<Equal<ReturnType<typeof read<typeof byCursor>>, Post[]>>();

// paginated by a function
const byFunction = Posts.getList.paginated(
  ({ after: _, ...list }: { after: number; blog: number }) => [list],
);
void byFunction({ blog: 1, after: 2 });
// @ts-expect-error the cursor is missing
void byFunction({ blog: 1 });
// @ts-expect-error a text is not a number
void byFunction({ blog: 1, after: '2' });
same<Equal<ReturnType<typeof read<typeof byFunction>>, Post[]>>();
same<Equal<typeof byFunction.method, 'GET'>>();
// @ts-expect-error what is left is not what the list takes
void Posts.getList.paginated(({ after: _, ...list }: { after: number }) => [list]);

// Search parameters that are optional as a whole, untyped, or none
const optional = new RestEndpoint({
  path: '/posts',
  searchParams: {} as { tag: string } | undefined,
  schema: new Collection([Post]),
  paginationField: 'page',
});
void optional.getPage({ page: 1 });
void optional.getPage({ page: 1, tag: 'x' });
// @ts-expect-error the field is missing
void optional.getPage({ tag: 'x' });
const inPath = new RestEndpoint({
  path: '/search?{q=:q}{&page=:page}',
  schema: new Collection([Post]),
  paginationField: 'page',
});
void inPath.getPage({ q: 'x', page: 1 });
// @ts-expect-error the field is missing
void inPath.getPage({ q: 'x' });

// A body as declared
const search = new RestEndpoint({
  path: '/search',
  method: 'POST',
  sideEffect: false,
  body: {} as { q: string },
  schema: new Collection([Post]),
  paginationField: 'page',
});
void search.getPage({ page: 2 }, { q: 'x' });
// @ts-expect-error the body is required
void search.getPage({ page: 2 });
same<Equal<typeof search.getPage.sideEffect, false>>();
const maybe = search.extend({ path: '/search/:index', body: {} as { q: string } | undefined });
void maybe.getPage({ index: 1, page: 2 });
void maybe.getPage({ index: 1, page: 2 }, { q: 'x' });
// @ts-expect-error the field is missing
void maybe.getPage({ index: 1 });

// An optional body, declared or not, stays optional, and the first argument is never the body
const optionalBody = search.extend({ body: {} as { q: string } | undefined });
void optionalBody.getPage({ page: 2 });
void optionalBody.getPage({ page: 2 }, { q: 'x' });
// @ts-expect-error the field is missing
void optionalBody.getPage({ q: 'x' });
// @ts-expect-error the field is missing
void optionalBody.getPage();
const untypedBody = new RestEndpoint({
  path: '/search',
  method: 'POST',
  sideEffect: false,
  schema: new Collection([Post]),
  paginationField: 'page',
});
void untypedBody.getPage({ page: 2 });
void untypedBody.getPage({ page: 2 }, { anything: 1 });
void untypedBody.getPage.extend({ dataExpiryLength: 5 })({ page: 2 });

// A field of the body
const inBody = search.extend({
  body: {} as { q: string; cursor?: string },
  paginationField: 'body.cursor',
});
void inBody.getPage({ q: 'x', cursor: 'a' });
// @ts-expect-error the field is missing
void inBody.getPage({ q: 'x' });
// @ts-expect-error as it is declared
void inBody.getPage({ q: 'x', cursor: 1 });
// @ts-expect-error the rest of the body is missing
void inBody.getPage({ cursor: 'a' });
void search.extend({ paginationField: 'body.page' }).getPage({ q: 'x', page: 1 });
const withParams = inBody.extend({ path: '/search/:index' });
void withParams.getPage({ index: 1 }, { q: 'x', cursor: 'a' });
// @ts-expect-error it is the body's
void withParams.getPage({ index: 1, cursor: 'a' }, { q: 'x' });
void search.paginated('body.after')({ q: 'x', after: 1 });
same<Equal<ReturnType<typeof read<typeof inBody.getPage>>, Post[]>>();

// A field that is declared as an object, and a member of one
const jsonApi = new RestEndpoint({
  path: '/posts',
  searchParams: {} as { page?: { number?: number; size?: number }; tag?: string },
  schema: new Collection([Post]),
  paginationField: 'page',
});
void jsonApi.getPage({ page: { number: 2, size: 10 } });
void jsonApi.getPage({ page: { number: 2 }, tag: 'x' });
// @ts-expect-error the field is missing
void jsonApi.getPage({ tag: 'x' });
// @ts-expect-error not a member of it
void jsonApi.getPage({ page: { nubmer: 2 } });
const byNumber = jsonApi.extend({ paginationField: 'page[number]' });
void byNumber.getPage({ page: { number: 2, size: 10 } });
void byNumber.getPage({ page: { number: 2 } });
// @ts-expect-error the member is missing
void byNumber.getPage({ page: { size: 10 } });
// @ts-expect-error as it is declared
void byNumber.getPage({ page: { number: '2' } });
void jsonApi.paginated('page[after]')({ page: { after: 'x', size: 10 } });
const flat = new RestEndpoint({
  path: '/posts',
  schema: new Collection([Post]),
  paginationField: 'page[number]',
});
void flat.getPage({ 'page[number]': 2 });

// Taken away by a function, from a list without arguments too
void Plain.getList.paginated(({ cursor: _, ...list }: { cursor: string }) => [list])({
  cursor: 'a',
});
void Plain.getList.paginated(({ cursor: _ }: { cursor: string }) => [])({ cursor: 'a' });
// @ts-expect-error the list takes no author
void Plain.getList.paginated(({ cursor: _, ...list }: { cursor: string; author: string }) => [
  list,
]);
void search.paginated(({ cursor: _, ...body }: { q: string; cursor: string }) => [body])({
  q: 'x',
  cursor: 'a',
});

// A class of one's own, and one that is generic
class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  account = 'me';
}
const Own = resource({ path: '/posts/:id', schema: Post, Endpoint: Api, paginationField: 'page' });
same<Equal<typeof Own.getList.getPage.account, string>>();
const ownPages = Own.getList.paginated('cursor');
same<Equal<typeof ownPages.account, string>>();

// @ts-expect-error the field is a text
resource({ path: '/posts/:id', schema: Post, paginationField: 5 });
// @ts-expect-error not a class of lists
resource({ path: '/posts/:id', schema: Post, Collection: Post });

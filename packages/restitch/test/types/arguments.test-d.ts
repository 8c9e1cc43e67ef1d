import { RestEndpoint } from 'restitch';
import { type Equal, same } from './support.js';

interface Input {
  name: string;
}
const body = {} as Input;

// No body
const get = new RestEndpoint({ path: '/u/:id' });
same<Equal<typeof get.method, 'GET'>>();
same<Equal<typeof get.sideEffect, undefined>>();
// @ts-expect-error GET takes no body
void get({ id: 1 }, {});
const remove = new RestEndpoint({ path: '/u/:id', method: 'DELETE' });
void remove({ id: 1 });
// @ts-expect-error DELETE takes no body
void remove({ id: 1 }, {});

// Untyped body
const post = new RestEndpoint({ path: '/u/:id', method: 'POST' });
same<Equal<typeof post.sideEffect, true>>();
void post({ id: 1 });
void post({ id: 1 }, { anything: 1 });
// @ts-expect-error the parameters come first
void post({ anything: 1 });

// Typed body
const put = new RestEndpoint({ path: '/u/:id', method: 'PUT', body });
void put({ id: 1 }, { name: 'a' });
// @ts-expect-error the body is required
void put({ id: 1 });
// @ts-expect-error a field is missing
void put({ id: 1 }, {});
// @ts-expect-error a field has the wrong type
void put({ id: 1 }, { name: 1 });
// @ts-expect-error an unknown field
void put({ id: 1 }, { name: 'a', nam: 'b' });

// A marker means POST
const marked = new RestEndpoint({ path: '/u', body });
same<Equal<typeof marked.method, 'POST'>>();
same<Equal<typeof marked.sideEffect, true>>();
void marked({ name: 'a' });
// @ts-expect-error one argument only
void marked({}, { name: 'a' });
// @ts-expect-error the body is required
void marked();
const markedLater = new RestEndpoint({ path: '/u' }).extend({ body });
same<Equal<typeof markedLater.method, 'POST'>>();
same<Equal<typeof markedLater.sideEffect, true>>();
void markedLater({ name: 'a' });
const sideEffect = new RestEndpoint({ path: '/u', sideEffect: true });
same<Equal<typeof sideEffect.method, 'POST'>>();
const readingPost = new RestEndpoint({ path: '/u', method: 'POST', sideEffect: undefined, body });
same<Equal<typeof readingPost.sideEffect, undefined>>();
const notAnEffect = readingPost.extend({ sideEffect: false }).extend({ path: '/v' });
same<Equal<typeof notAnEffect.sideEffect, false>>();

// Both shapes
const both = new RestEndpoint({ path: '/u{/:id}', method: 'POST', body });
void both({ name: 'a' });
void both({ id: 1 }, { name: 'a' });
void both({}, { name: 'a' });
// @ts-expect-error the parameters alone
void both({ id: 1 });
// @ts-expect-error an unknown field
void both({ name: 'a', nam: 1 });
// @ts-expect-error an unknown field
void both({ id: 1 }, { name: 'a', nam: 1 });

// DELETE with a body
const removeWith = new RestEndpoint({
  path: '/u/:id',
  method: 'DELETE',
  body: {} as { reason: string },
});
void removeWith({ id: 1 }, { reason: 'x' });
// @ts-expect-error the body is required
void removeWith({ id: 1 });

// No body on request, and an optional one
const without = new RestEndpoint({ path: '/u/:id', method: 'POST', body: undefined });
void without({ id: 1 });
// @ts-expect-error no body
void without({ id: 1 }, {});
const maybe = new RestEndpoint({ path: '/u/:id', method: 'POST', body: {} as Input | undefined });
void maybe({ id: 1 });
void maybe({ id: 1 }, { name: 'a' });
// @ts-expect-error an unknown field
void maybe({ id: 1 }, { nam: 'a' });

// A wide path keeps the body required
const wide = new RestEndpoint({ path: '/u' as string, method: 'POST', body });
void wide({ name: 'a' });
void wide({ id: 1 }, { name: 'a' });
// @ts-expect-error the body is required
void wide();

// Search parameters
const search = new RestEndpoint({
  path: '/u',
  searchParams: {} as { q?: string; sort?: 'asc' | 'desc' },
});
void search();
void search({ q: 'a', sort: 'asc' });
// @ts-expect-error unknown
void search({ p: 1 });
// @ts-expect-error not one of the literals
void search({ sort: 'up' });
const required = new RestEndpoint({ path: '/u/:id', searchParams: {} as { q: string } });
void required({ id: 1, q: 'a' });
// @ts-expect-error `q` is missing
void required({ id: 1 });
const forbidden = new RestEndpoint({ path: '/u', searchParams: undefined });
void forbidden();
void forbidden({});
// @ts-expect-error takes no parameter
void forbidden({ q: 'a' });
const optionalSearch = new RestEndpoint({
  path: '/u',
  searchParams: {} as { q: string } | undefined,
});
void optionalSearch();
void optionalSearch({ q: 'a' });
// @ts-expect-error all members or none
void optionalSearch({});
const searchAndBody = new RestEndpoint({
  path: '/u',
  method: 'POST',
  searchParams: {} as { q: string },
});
void searchAndBody({ q: 'a' }, { name: 'a' });
// @ts-expect-error a single argument would be the body
void searchAndBody({ q: 'a' });

// extend
const moved = required.extend({ path: '/v/:vid' });
void moved({ vid: 1, q: 'a' });
// @ts-expect-error the old path
void moved({ id: 1, q: 'a' });
const researched = required.extend({ searchParams: {} as { r: number } });
void researched({ id: 1, r: 2 });
// @ts-expect-error the old search parameter
void researched({ id: 1, q: 'a' });
const bodiless = put.extend({ body: undefined });
void bodiless({ id: 1 });
// @ts-expect-error no body any more
void bodiless({ id: 1 }, { name: 'a' });

// An endpoint whose URL is built by a function takes the arguments of that function
const byUrl = new RestEndpoint({ url: (id: string) => `/x/${id}` });
void byUrl('5');
// @ts-expect-error not a string
void byUrl({ id: 5 });

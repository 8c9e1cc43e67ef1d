import {
  type ListPath,
  type PathParams,
  type PathValue,
  RestEndpoint,
  type WideParams,
} from 'restitch';
import { type Equal, same } from './support.js';

type V = PathValue;

// Placeholders
same<Equal<PathParams<'/u/:id'>, { id: V }>>();
same<Equal<PathParams<'/u/:id/p/:postId'>, { id: V; postId: V }>>();
same<Equal<keyof PathParams<'/u/:a-:b/:c.json'>, 'a' | 'b' | 'c'>>();
same<Equal<keyof PathParams<'/u'>, never>>();
same<Equal<PathParams<'/q/:"my-id"/x'>, { readonly 'my-id': V }>>();
same<Equal<PathParams<'/q/:"a\\"b"'>, { readonly 'a"b': V }>>();
same<Equal<PathParams<'https\\://h/:id'>, { readonly id: V }>>();
same<Equal<PathParams<'/a\\:b/\\*c/\\{d\\}/:e'>, { readonly e: V }>>();
same<Equal<keyof PathParams<'/:a%:b&:c,:d+:e.:f'>, 'a' | 'b' | 'c' | 'd' | 'e' | 'f'>>();

// Wildcards and groups
same<Equal<PathParams<'/:a*b'>, { readonly a: V; readonly b: readonly string[] }>>();
same<Equal<PathParams<'/f{/*rest}'>, { readonly rest?: readonly string[] | undefined }>>();
same<
  Equal<
    PathParams<'/u/:a{/:b{/:c}}/:d'>,
    { readonly a: V; readonly d: V; readonly b?: V | undefined; readonly c?: V | undefined }
  >
>();

// Queries
same<
  Equal<
    PathParams<'/search?{q=:q}{&page=:page}'>,
    { readonly q?: V | undefined; readonly page?: V | undefined }
  >
>();
same<Equal<PathParams<'/search?q=:q&x=1'>, { q: V }>>();

// Paths that are not literals
same<Equal<PathParams<string>, WideParams>>();
same<Equal<PathParams<`/a/${string}`>, WideParams>>();

// Paths of lists
same<Equal<ListPath<'/u/:id'>, '/u'>>();
same<Equal<ListPath<'/u/:a/p/:b'>, '/u/:a/p'>>();
same<Equal<ListPath<'/p/:pid/u{/:id}'>, '/p/:pid/u'>>();
same<Equal<ListPath<'https\\://h/:id'>, 'https\\://h'>>();
same<Equal<ListPath<'/f/*rest'>, '/f'>>();
same<Equal<ListPath<'/q/:"a:b"'>, '/q'>>();
same<Equal<ListPath<'/u/:id?version=:version'>, '/u'>>();
same<Equal<ListPath<'/u/:id{?version=:version}'>, '/u'>>();
same<Equal<ListPath<'/index.php?route=/u/:id'>, '/index.php?route=/u'>>();
same<Equal<ListPath<string>, string>>();

const user = new RestEndpoint({ path: '/u/:gid/:id' });
void user({ gid: 1, id: '2' });
user.url({ gid: 1, id: '2' });
user.key({ gid: 1, id: '2' });
// @ts-expect-error `id` is missing
void user({ gid: 1 });
// @ts-expect-error `id` is missing
user.url({ gid: 1 });
// @ts-expect-error misspelled
void user({ gid: 1, idd: 2 });
// @ts-expect-error one too many
void user({ gid: 1, id: 2, zz: 3 });
// @ts-expect-error no parameters
void user();
// @ts-expect-error no parameters
void user({});
// @ts-expect-error a bare value
void user(5);
// @ts-expect-error a second argument
void user({ gid: 1, id: 2 }, {});
// @ts-expect-error a value that is neither text nor number
void user({ gid: 1, id: { a: 1 } });
// @ts-expect-error an optional value is not a required one
void user({ gid: 1, id: undefined });

const optional = new RestEndpoint({ path: '/u{/:a}{/:b}' });
void optional();
void optional({});
void optional({ b: 1 });
void optional({ a: undefined });
// @ts-expect-error misspelled
void optional({ c: 1 });

const none = new RestEndpoint({ path: '/u' });
void none();
void none({});
// @ts-expect-error takes no parameter
void none({ id: 1 });
// @ts-expect-error takes no parameter
void none('1');
// @ts-expect-error takes no body
void none({}, {});

const wide = new RestEndpoint({ path: '/u' as string });
void wide();
void wide({ whatever: 1, list: ['a', 1], flag: true, none: undefined });
// @ts-expect-error a bare value
void wide(5);
const template = new RestEndpoint({ path: `/a/${String(1)}` });
void template();
void template({ id: 5 });
// @ts-expect-error a bare value
void template(5);

const either = new RestEndpoint({ path: '/a/:a' as '/a/:a' | '/b/:b' });
void either({ a: 1 });
void either({ b: 1 });
// @ts-expect-error neither
void either({});

const files = new RestEndpoint({ path: '/f/*rest' });
void files({ rest: ['a', 'b'] as const });
// @ts-expect-error an array of segments, not a text
void files({ rest: 'a/b' });

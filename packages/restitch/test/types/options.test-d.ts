import {
  Entity,
  type EndpointInterface,
  resource,
  RestEndpoint,
  type RestGenerics,
  uploadTransport,
} from 'restitch';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
  name = '';
}

// Extra members
const tagged = new RestEndpoint({
  path: '/u/:id',
  tag: 'x',
  list: ['a'],
  onProgress: (_value: number) => {},
});
same<Equal<typeof tagged.tag, string>>();
same<Equal<typeof tagged.list, string[]>>();
tagged.onProgress(1);
// @ts-expect-error unknown member
tagged.nothere;
// @ts-expect-error read-only
tagged.path = '/v/:id';
const kept = tagged.extend({ dataExpiryLength: 0 }).extend({ timeout: 5 });
same<Equal<typeof kept.tag, string>>();
const replaced = tagged.extend({ tag: 5 });
same<Equal<typeof replaced.tag, number>>();
const added = tagged.extend({ more: true }).extend({ path: '/v/:vid' });
same<Equal<typeof added.more, boolean>>();
same<Equal<typeof added.tag, string>>();
void added({ vid: 1 });

// A new content under a `process` that stays
const counted = new RestEndpoint({
  path: '/u/:id',
  process: (value: object) => ({ keys: 1, value }),
});
same<Equal<Awaited<ReturnType<typeof counted>>, { keys: number; value: object }>>();
const countedText = counted.extend({ content: 'text' });
same<Equal<Awaited<ReturnType<typeof countedText>>, { keys: number; value: object }>>();

// `this`
new RestEndpoint({
  path: '/u/:id',
  method: 'POST',
  body: {} as { a: number },
  onProgress: (_value: number) => {},
  getRequestInit(body) {
    same<Equal<typeof body, { a: number }>>();
    this.onProgress(1);
    // @ts-expect-error not a number
    this.onProgress('1');
    return {};
  },
  url() {
    this.onProgress(1);
    return this.path;
  },
  fetchResponse: async function (input, init) {
    this.onProgress(1);
    return fetch(input, init);
  },
});

// Results
const get = new RestEndpoint({ path: '/u/:id', schema: User });
same<Equal<Awaited<ReturnType<typeof get>>, any>>();
same<Equal<typeof get.schema, typeof User>>();
const blob = new RestEndpoint({ path: '/u/:id', content: 'blob' });
same<Equal<Awaited<ReturnType<typeof blob>>, Blob>>();
const stillBlob = blob.extend({ dataExpiryLength: 0 });
same<Equal<Awaited<ReturnType<typeof stillBlob>>, Blob>>();
const text = blob.extend({ content: 'text' });
same<Equal<Awaited<ReturnType<typeof text>>, string>>();
const buffer = blob.extend({ content: 'arrayBuffer' });
same<Equal<Awaited<ReturnType<typeof buffer>>, ArrayBuffer>>();
const stream = blob.extend({ content: 'stream' });
same<Equal<Awaited<ReturnType<typeof stream>>, ReadableStream<Uint8Array>>>();
const named = new RestEndpoint({
  path: '/u/:id',
  content: 'blob',
  process(value: Blob, { id }) {
    same<Equal<typeof id, string | number>>();
    return { value, id };
  },
});
same<Equal<Awaited<ReturnType<typeof named>>, { value: Blob; id: string | number }>>();
const processed = get.extend({
  process: async (value: { id: string }, { id }) => [value.id, id] as const,
});
same<Equal<Awaited<ReturnType<typeof processed>>, readonly [string, string | number]>>();
void processed({ id: 1 });
// @ts-expect-error the path is kept
void processed({});
const processedFurther = processed.extend({ path: '/v/:vid' }).extend({ timeout: 1 });
same<Equal<Awaited<ReturnType<typeof processedFurther>>, readonly [string, string | number]>>();
const newPath = get.extend({
  path: '/z/:z',
  process(value: number, { z }) {
    same<Equal<typeof z, string | number>>();
    return value;
  },
});
same<Equal<Awaited<ReturnType<typeof newPath>>, number>>();
get.extend({
  // @ts-expect-error the old parameter is not in the new path
  process: (value: number, { id }) => [value, id],
  path: '/z/:z',
});

// A service
new RestEndpoint({ path: '/users/:id', service: 'api' }).extend({ service: 'other' });
resource({ path: '/users/:id', schema: User, service: 'api' });
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override service = 'api';
}
new ApiEndpoint({ path: '/users/:id' });
// @ts-expect-error a number is not a string
new RestEndpoint({ path: '/users/:id', service: 5 });

// Wrong options
// @ts-expect-error a schema needs JSON
new RestEndpoint({ path: '/u', content: 'blob', schema: User });
// @ts-expect-error a schema needs JSON
get.extend({ content: 'blob' });
get.extend({ content: 'blob', schema: undefined });
new RestEndpoint({ path: '/u', content: 'json', schema: User });
// @ts-expect-error a number is not a string
new RestEndpoint({ path: '/u', urlPrefix: 5 });
// @ts-expect-error a number is not a string
get.extend({ urlPrefix: 5 });
// @ts-expect-error not a content
new RestEndpoint({ path: '/u', content: 'xml' });
// @ts-expect-error `path` is missing
new RestEndpoint({ pth: '/u' });
// @ts-expect-error a URL is text
get.extend({ url: () => 5 });

// Callbacks know the arguments
get.extend({
  body: {} as { name: string },
  getOptimisticResponse(snapshot, params, body) {
    same<Equal<typeof params, { id: string | number }>>();
    same<Equal<typeof body, { name: string }>>();
    const user = snapshot.get(User, params);
    same<Equal<typeof user, User | undefined>>();
    return { ...params, ...body };
  },
  key: ({ id }, body) => `${id} ${body.name}`,
});

// Endpoints are endpoints
const pass = <E extends RestEndpoint>(endpoint: E): E => endpoint;
same<Equal<ReturnType<typeof pass<typeof tagged>>, typeof tagged>>();
const anyEndpoint: RestEndpoint = get;
const anyInterface: EndpointInterface = get;
const anyOther: EndpointInterface = tagged;
void [anyEndpoint, anyInterface, anyOther, pass(get)];

// Progress of an upload
const upload = new RestEndpoint({
  path: '/files',
  body: {} as FormData,
  send: uploadTransport,
  onProgress: (progress) => same<Equal<typeof progress, number>>(),
});
void upload.extend({ onProgress: undefined });
void upload.extend({ onProgress: (progress) => void progress.toFixed(0) });
// @ts-expect-error it is called with a number
void upload.extend({ onProgress: (progress: string) => void progress });
// @ts-expect-error it is no function
void new RestEndpoint({ path: '/files', onProgress: 5 });

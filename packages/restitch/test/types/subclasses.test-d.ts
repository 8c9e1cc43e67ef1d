import { Entity, RestEndpoint, type RestEndpointOptions, type RestGenerics } from 'restitch';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
}

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  #secret = 1;
  override urlPrefix = 'https://a.example';
  onProgress?: (value: number) => void;

  secret(): number {
    return this.#secret;
  }
  override url(...args: Parameters<RestEndpoint<O>['url']>): string {
    return `${super.url(...args)}?v=2`;
  }
  override async getRequestInit(body: any): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'include' };
  }
  override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return { ...(await super.getHeaders(headers)), authorization: 'Bearer x' };
  }
  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    return super.fetchResponse(input, init);
  }
  override async parseResponse(response: Response): Promise<any> {
    return super.parseResponse(response);
  }
  override async fetch(...args: Parameters<RestEndpoint<O>['fetch']>): Promise<any> {
    return super.fetch(...args);
  }
  override process(value: any, params: any): any {
    return { ...super.process(value, params), id: params.id };
  }
  again(): unknown {
    return (this as RestEndpoint<O>).extend({ dataExpiryLength: 5 });
  }
}
class Deep<O extends RestGenerics = any> extends Api<O> {
  override getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return super.getHeaders({ ...headers, deep: 'yes' });
  }
  depth(): number {
    return 2;
  }
}

// Every option that a getter can compute is a member
class Tenant<O extends RestGenerics = any> extends RestEndpoint<O> {
  override get urlPrefix(): string {
    return 'https://a.example';
  }
  override get service(): string {
    return 'clinic';
  }
  override get scope(): string | undefined {
    return this.urlPrefix;
  }
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, user: this.scope ?? '' };
  }
}
same<Equal<Tenant['scope'], string | undefined>>();
new Tenant({ path: '/u/:id', scope: 'ann' }).scope satisfies string | undefined;

// Concrete options do not collapse
for (const Class of [Api, Deep]) {
  const endpoint = new Class({
    path: '/u/:id',
    method: 'POST',
    body: {} as { a: number },
    schema: User,
  });
  same<Equal<typeof endpoint.schema, typeof User>>();
  same<Equal<typeof endpoint.method, 'POST'>>();
  void endpoint({ id: 1 }, { a: 1 });
  // @ts-expect-error misspelled
  void endpoint({ idd: 1 }, { a: 1 });
  // @ts-expect-error an unknown field
  void endpoint({ id: 1 }, { a: 1, b: 2 });
  // @ts-expect-error the body is required
  void endpoint({ id: 1 });
}
const plain = new Api({ path: '/u/:id' });
same<Equal<typeof plain.schema, undefined>>();

// Members of both classes stay
const deep = new Deep({ path: '/u/:id' })
  .extend({ path: '/v/:vid', tag: 'x' })
  .extend({ timeout: 5 });
same<Equal<typeof deep.tag, string>>();
same<Equal<ReturnType<typeof deep.depth>, number>>();
same<Equal<ReturnType<typeof deep.secret>, number>>();
void deep({ vid: 1 });
// @ts-expect-error the old path
void deep({ id: 1 });

// `process` and `this` in options
const withProcess = new Api({
  path: '/u/:id',
  url() {
    return this.path;
  },
  process(value: { name: string }, params) {
    return { ...value, from: String(params) };
  },
});
same<Equal<Awaited<ReturnType<typeof withProcess>>, { from: string; name: string }>>();
void withProcess({ id: 1 });
const afterwards = new Api({ path: '/u/:id' }).extend({
  process: (value: string, { id }) => [value, id] as const,
});
same<Equal<Awaited<ReturnType<typeof afterwards>>, readonly [string, string | number]>>();

// Declared members as options, and undeclared ones
new Api({ path: '/u', onProgress: (value: number) => void value.toFixed() });
new Api({ path: '/u', undeclared: 5 });
// @ts-expect-error a number is not a string
new Api({ path: '/u', urlPrefix: 5 });

// Other ways to declare a class
class Notes extends RestEndpoint<{ path: '/n/:id' }> {}
void new Notes({ path: '/n/:id' })({ id: 1 });
// @ts-expect-error misspelled
void new Notes({ path: '/n/:id' })({ idd: 1 });
class Untyped extends RestEndpoint {}
void new Untyped({ path: '/u/:id' })({ whatever: 1 });
class Defaults<O extends RestGenerics = any> extends RestEndpoint<O> {
  constructor(options: any) {
    super({ schema: User, ...options });
  }
}
void new Defaults({ path: '/u' })();
class TypedDefaults<O extends RestGenerics = any> extends RestEndpoint<O> {
  constructor(options: RestEndpointOptions<O>) {
    super({ timeout: 10_000, ...options });
  }
}
const typed = new TypedDefaults({
  path: '/u/:id',
  schema: User,
  process: (value: { id: string }) => value.id,
});
same<Equal<Awaited<ReturnType<typeof typed>>, string>>();
same<Equal<typeof typed.schema, typeof User>>();
// @ts-expect-error misspelled
void typed({ idd: 1 });
// @ts-expect-error `path` is missing
new Api({ pth: '/u' });

const pass = <E extends RestEndpoint>(endpoint: E): E => endpoint;
same<Equal<ReturnType<typeof pass<typeof plain>>, typeof plain>>();
const anyEndpoint: RestEndpoint = plain;
void [anyEndpoint, pass(plain)];

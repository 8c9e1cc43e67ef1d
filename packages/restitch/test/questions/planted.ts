/** Mistakes as they would look from outside if the library made them: each replaces a part of what programs are made of. */
import {
  Collection,
  type CollectionEdit,
  Endpoint,
  Entity,
  expireWhere,
  Invalidate,
  invalidateWhere,
  LogoutManager,
  type CollectionOptions,
  type Controller,
  type EntityClass,
  type Manager,
} from 'restitch';
import type { Flights } from './flights.js';
import { Api, LIBRARY, restOf, tagged, type Endpoints, type Kit, type Options } from './kit.js';
import { ITEMS } from './lists.js';
import { PREFIXES } from './reads.js';
import { TenantApi } from './tenants.js';
import { show, type AnyEndpoint } from './questions.js';

/** A library whose endpoints are of another class. */
const withApi = (type: unknown): Partial<Kit> => ({
  rest: (options, given) => restOf(given ?? type, options),
});

/** A library that gives collections other options. */
const withCollections = (
  change: (options: CollectionOptions, address: string) => CollectionOptions,
): Partial<Kit> => ({
  collection: (schema, options, address) =>
    new Collection(schema, { ...options, ...change(options, address) }),
});

/** A library that knows the calls of functions by another key. */
const withFunctionKeys = (
  keyOf: (name: string, args: readonly unknown[]) => string,
): Partial<Kit> => ({
  call: (run, options) => {
    const key = (...args: readonly unknown[]): string => keyOf(run.name, args);
    // The cast: as in `kit.ts`.
    return new Endpoint(run, { ...options, key }) as unknown as AnyEndpoint;
  },
});

/** A library whose resources have another `delete`. */
const withDelete = (change: (made: Endpoints, options: Options) => AnyEndpoint): Partial<Kit> => ({
  resource(options, type) {
    const made = LIBRARY.resource(options, type);
    // Over the endpoints, so that what is extended later has it too.
    return Object.assign(made, { delete: change(made, options) });
  },
});

class KeyWithoutBody extends Api {
  override key(...args: readonly unknown[]): string {
    return `${this.method} ${this.url(...args)}`;
  }
}

class KeyWithoutMethod extends Api {
  override key(...args: readonly unknown[]): string {
    return `${this.url(...args)} ${JSON.stringify(args)}`;
  }
}

class KeyWithoutDefaults extends Api {
  override key(...args: readonly unknown[]): string {
    return `${this.method} ${this.urlPrefix}${this.path} ${JSON.stringify(args)}`;
  }
}

const pending = new WeakMap<Flights, Map<string, Promise<Response>>>();

/** Joins the request under way that has the same text. */
abstract class Shared extends Api {
  abstract textOf(address: string, init: RequestInit): string;

  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const own = pending.get(this.flights) ?? new Map<string, Promise<Response>>();
    pending.set(this.flights, own);
    const text = this.textOf(input instanceof Request ? input.url : `${input}`, init);
    const response = own.get(text) ?? super.fetchResponse(input, init);
    own.set(text, response);
    try {
      return await response;
    } finally {
      own.delete(text);
    }
  }
}

class SharedByAddress extends Shared {
  override textOf(address: string): string {
    return address;
  }
}

/** Joins the same read under way, also that of the last user. */
class SharedByRequest extends Shared {
  override textOf(address: string, { method, headers, body }: RequestInit): string {
    const own = method === 'GET' ? 0 : this.flights.tick;
    return show([address, method, { ...Object(headers) }, body, this.variant, own]);
  }
}

/** Two tenants have one key. */
class KeyWithoutTenant extends TenantApi {
  override key(...args: readonly unknown[]): string {
    return `${this.method} ${this.path} ${JSON.stringify(args)}`;
  }
}

/** Sends to the tenant at present, not to that of the call. */
class PresentTenant extends TenantApi {
  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const { current, by } = this.tenants;
    const address = input instanceof Request ? input.url : `${input}`;
    const present =
      by === 'service' ? address : address.replace(/^https:..\w/, PREFIXES[current ? 1 : 0]);
    return super.fetchResponse(present, init);
  }
}

const withTenants = (type: typeof TenantApi): Partial<Kit> => ({
  rest: (options, given) => LIBRARY.rest(options, given && type),
  resource: (options, given) => LIBRARY.resource(options, given && type),
});

const hiddenTags = new WeakMap<object, string>();

/** Tags without a function or a member of its own: nothing distinguishes the endpoint from its base. */
class ProcessByHiddenTag extends Api {
  override process(value: unknown): unknown {
    const tag = hiddenTags.get(this);
    return tag === undefined ? value : tagged(value, tag);
  }
}

/** Puts the rows of a page at the end of the list, wherever they belong. */
async function append(controller: Controller, list: AnyEndpoint, params: Options): Promise<void> {
  const { cursor: _, ...filter } = params;
  const page: unknown = await controller.fetch(list.getPage ?? list, params);
  const rows = Array.isArray(page) ? page : Object(page).results;
  for (const row of Array.isArray(rows) ? rows : []) {
    controller.set(list.push?.schema, [filter], { ...row });
  }
}

/** Invalidates every result as soon as it is there. */
const distrust: Manager = {
  middleware: (controller) => (next) => (action) => {
    next(action);
    if (action.type !== 'receive' || action.endpoint.sideEffect === true) return;
    void controller.invalidate(action.endpoint, ...action.args);
  },
};

/** Expires everything where it should expire what is stale. */
const impatient: Manager = {
  middleware: (controller) => (next) => (action) => {
    next(action);
    if (action.type === 'expireStale') void expireWhere(controller, { match: () => true });
  },
};

/** Expires only endpoints that have responses of their own. */
const forgetful = (): Manager => {
  const own = new WeakSet<object>();
  return {
    middleware: () => (next) => (action) => {
      if (action.type === 'receive') own.add(action.endpoint);
      const isOutdating = action.type === 'expireAll' || action.type === 'invalidateAll';
      if (!isOutdating || own.has(action.endpoint)) next(action);
    },
  };
};

/** A library whose lists leave out some of their arguments. */
const withLists = (isKept: (value: unknown) => boolean): Partial<Kit> =>
  withCollections(() => ({
    argsKey: (...args: readonly unknown[]) =>
      Object.fromEntries(
        args
          .flatMap((arg, index): readonly (readonly [string, unknown])[] =>
            arg instanceof Object && !(Symbol.iterator in arg) && !('toJSON' in arg)
              ? Object.entries(arg)
              : [[`@${index}`, arg]],
          )
          .filter(([, value]) => isKept(value)),
      ),
  }));

export const MISTAKES: Readonly<Record<string, Partial<Kit>>> = {
  'the key of a list lacks its arguments that are null': withLists((value) => value !== null),
  'the key of a list lacks its arguments without fields of their own': withLists(
    (value) => !(value instanceof URL),
  ),
  'the key of a list lacks its home': withCollections(({ name = 'list' }) => ({ name })),
  'the home of a list lacks its urlPrefix': withCollections(({ name }, address) => ({
    name: name ?? address.replace(/^https:\/\/\w/, ''),
  })),
  'the key of a list lacks its filter': withCollections(() => ({ argsKey: () => ({}) })),
  'the key of a nested list lacks its owner': withCollections((_, address) =>
    address === ITEMS ? { nestKey: () => ({}) } : {},
  ),
  'the home of a list lacks its scope': {
    scoped(of, user) {
      const init = { requestInit: { headers: { authorization: user } } };
      const scope = (name: keyof Omit<Endpoints, 'extend'>): AnyEndpoint => {
        const base = of[name] as AnyEndpoint;
        const key = (...args: readonly unknown[]): string => `${user} ${base.key(...args)}`;
        return base.extend({ ...init, key }) as AnyEndpoint;
      };
      const names = ['get', 'getList', 'partialUpdate', 'delete'] as const;
      const given = names.filter((name) => of[name]);
      const made = Object.fromEntries(given.map((name) => [name, scope(name)]));
      // The cast: all that were given.
      return { ...of, ...made } as Endpoints;
    },
  },
  'an edit of a user leaves the lists in records as they are': {
    scoped(of, user) {
      const made = LIBRARY.scoped(of, user);
      if (of.get || !of.getList) return made;
      // The cast: the schema of such a list.
      const { schema: members } = of.getList.schema as Collection;
      const schema = new Collection(members, { name: 'items' });
      return { ...made, getList: made.getList.extend({ schema }) as AnyEndpoint };
    },
  },
  'an edit of a user changes the lists of others': {
    scoped(of, user) {
      const made = LIBRARY.scoped(of, user);
      if (of.get) return made;
      const scoped = made.getList;
      const key = (...args: readonly unknown[]): string => scoped.key(...args);
      return { ...made, getList: scoped.extend({ scope: undefined, key }) as AnyEndpoint };
    },
  },
  'an edit has the home where it is used': {
    importSchema({ push }) {
      // The cast: `push` of a list is an edit of its collection.
      const edit = push?.schema as CollectionEdit | undefined;
      return edit && new Collection(edit.collection.schema, { name: 'import' }).push;
    },
  },
  'the key of a read lacks its body': withApi(KeyWithoutBody),
  'the key of a read lacks its method': withApi(KeyWithoutMethod),
  'the key of a read lacks its default search parameters': withApi(KeyWithoutDefaults),
  'requests are shared by address': withApi(SharedByAddress),
  'the key of an extended endpoint lacks its own process': {
    ...withApi(ProcessByHiddenTag),
    tagging(endpoint, _, tag) {
      const extended = endpoint.extend({}) as AnyEndpoint;
      hiddenTags.set(extended, tag);
      return extended;
    },
  },
  'the list of a bound endpoint lacks its bound arguments': {
    bind(base, args) {
      const fetch = (...others: readonly unknown[]): unknown => base.fetch(...args, ...others);
      const key = (...others: readonly unknown[]): string => base.key(...args, ...others);
      return base.extend({ fetch, key }) as AnyEndpoint;
    },
  },
  'the key of a bound endpoint lacks its bound arguments': {
    bind(base, args) {
      const bound = LIBRARY.bind(base, args);
      const prefix = base.key === base.extend({}).key ? '' : `${base.key.length}`;
      const key = (...others: readonly unknown[]): string => `${prefix}${show(others)}`;
      return bound.extend({ key }) as AnyEndpoint;
    },
  },
  'an endpoint forgets its bound arguments when it is extended': {
    bind(base, args) {
      const bound = LIBRARY.bind(base, args);
      return new Proxy(bound, {
        get: (target, name) =>
          name === 'extend' ? base.extend.bind(base) : Reflect.get(target, name, target),
      });
    },
  },
  'the key of a function has its arguments as JSON': withFunctionKeys(
    (name, args) =>
      `${name} ${JSON.stringify(args.map((arg) => (typeof arg === 'bigint' ? show(arg) : arg)))}`,
  ),
  'the key of a function has its name': withFunctionKeys((name, args) => `${name} ${show(args)}`),
  'the table of a class is its name': {
    finish(entity, { name, hasKey }) {
      if (!hasKey) Object.defineProperty(entity, 'key', { value: name || 'anonymous' });
    },
  },
  'members are instances of another class of their table': {
    collection(schema, options) {
      class Other extends Entity {
        id = '';
        title = '';
      }
      const [member] = Array.isArray(schema) ? schema : [];
      if (!member) return new Collection(schema, options);
      Object.defineProperty(Other, 'key', { value: member.key });
      return new Collection([Other], options);
    },
  },
  'the body of its response says what a delete deletes': withDelete(
    (made, { schema }) =>
      // The cast: the schema of a resource is a class.
      made.delete.extend({
        schema: new Invalidate(schema as EntityClass),
        process: (value: unknown) => value,
      }) as AnyEndpoint,
  ),
  'a delete reaches the lists of its home alone': withDelete(
    (made) =>
      made.delete.extend({
        schema: made.getList.remove?.schema,
        process: (_: unknown, { id }: { readonly id: string }) => ({ id }),
      }) as AnyEndpoint,
  ),
  'a summary passes for the record': {
    finish(entity) {
      Object.defineProperty(entity, 'partial', { value: true });
    },
  },
  'a page is put at the end': { page: append },
  'an empty response is data': {
    rest: (options, type) => LIBRARY.rest({ ...options, nullable: true }, type),
    resource: (options, type) => LIBRARY.resource({ ...options, nullable: true }, type),
  },
  'the key of a read lacks its tenant': withTenants(KeyWithoutTenant),
  'a request goes to the tenant at present': withTenants(PresentTenant),
  'a sign-out invalidates what is stored': {
    signOut: (controller) => void invalidateWhere(controller, { match: () => true }),
  },
  'a request of the last user serves the next one': withApi(SharedByRequest),
  'a page that is seen again asks for nothing': { managers: () => [new LogoutManager()] },
  'a page that is seen again asks for everything': {
    managers: () => [...LIBRARY.managers(), impatient],
  },
  'what came by another response is not outdated': {
    managers: () => [...LIBRARY.managers(), forgetful()],
  },
  'nothing grows old': {
    rest: (options, type) => LIBRARY.rest({ ...options, dataExpiryLength: Infinity }, type),
    resource: (options, type) => LIBRARY.resource({ ...options, dataExpiryLength: Infinity }, type),
  },
  'every response is fetched again': { managers: () => [...LIBRARY.managers(), distrust] },
};

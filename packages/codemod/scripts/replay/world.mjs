/** The world in which a file runs: stubs that accept any use, a server with given responses, and a record of all events. */

const PLAIN =
  /^(data|params?|query|body|payload|form\w*|\w*(Data|Params|Query|Form|Info|Body|Obj|Dto|Options|Config)|obj|info|dto|req|values|filters?|config|options|opts|user|item|row|record|model|settings?|props)$/;
const LIST = /^(ids|\w+Ids|list|\w+List|items|\w+s)$/;

/** A likely value for a member of a name. */
export function sample(name, depth = 0) {
  if (/^(page|size|limit|offset|num|count|total|index|\w*(Page|Size|Num|Count|Limit))$/.test(name))
    return 3;
  if (/^(is|has|should)[A-Z]/.test(name)) return true;
  if (
    /^(on[A-Z]\w*|cb|callback|next|done|dispatch|commit|resolve|reject|fn|\w*(Callback|Fn|Handler))$/.test(
      name,
    )
  )
    return undefined;
  if (/file|blob|image|avatar/i.test(name) && !/name|id|url|path/i.test(name))
    return new Blob(['a file']);
  if (PLAIN.test(name) && depth < 2) return { id: 7, name: `${name}-name` };
  if (LIST.test(name) && !/(status|address|class|access|alias|ss)$/.test(name))
    return ['one', 'two'];
  return `${name}-1`;
}

/** The path of each stub. */
const paths = new WeakMap();

/** The path of a stub; undefined for all else. */
export const pathOf = (value) => paths.get(value);

export class World {
  notes = [];
  requests = [];
  /** The requests of axios in the words of `fetch`. */
  fetched = [];
  /** True after another run has begun: later requests of this one get no response. */
  isOver = false;
  hits = new Set();
  waiting = [];
  timers = [];
  #stubs = new Map();
  #spent = 0;

  constructor(scenario) {
    this.scenario = scenario;
  }

  /** Something that can be called, made, read, and written in a text. */
  stub(path) {
    const client = globalThis.__held?.[path.split('.').at(-1)];
    if (client && path.includes('.')) return client;
    const known = this.#stubs.get(path);
    if (known) return known;
    const own = new Map();
    const world = this;
    const last = path.replace(/\(\)$/, '').split(/[./#]/).at(-1) ?? '';
    if (/^[A-Z][A-Z\d_]+$/.test(last) || /(url|host|prefix|path|endpoint|base)$/i.test(last)) {
      if (!path.endsWith('()')) return `/${last}`;
    }
    const stub = new Proxy(function () {}, {
      get(target, name) {
        if (typeof name === 'symbol') {
          if (name === Symbol.toPrimitive) return () => `<${path}>`;
          if (name === Symbol.iterator)
            return function* () {
              for (let at = 0; at < 3; at += 1) yield world.stub(`${path}[${at}]`);
            };
          return undefined;
        }
        if (own.has(name)) return own.get(name);
        if (name === 'then' || name === '$$typeof' || name === 'nodeType') return undefined;
        if (name === 'prototype') return target.prototype;
        if (name === 'toJSON' || name === 'toString' || name === 'valueOf')
          return () => `<${path}>`;
        if (name === 'length') return 0;
        return world.stub(`${path}.${name}`);
      },
      set: (_, name, value) => {
        own.set(name, value);
        world.note(`${path}.${String(name)} =`, [value]);
        return true;
      },
      has: () => true,
      deleteProperty: () => true,
      apply: (_, self, args) => world.called(path, args),
      construct: (_, args, made) =>
        made === stub
          ? Object(world.called(`new ${path}`, args))
          : world.#heir(`new ${path}`, args, made.prototype),
    });
    paths.set(stub, path);
    this.#stubs.set(path, stub);
    return stub;
  }

  /** An object of a class of the application that extends one elsewhere: what it sets is its own, the rest is there. */
  #heir(path, args, prototype) {
    this.note(path, args);
    return new Proxy(Object.create(prototype), {
      get: (target, name) => {
        if (name in target || typeof name === 'symbol' || name === 'then') return target[name];
        return this.stub(`${path}().${name}`);
      },
    });
  }

  called(path, args) {
    const name = path.split(/[./]/).at(-1);
    const [first] = args;
    // The results of the hooks of the two common libraries.
    if (name === 'useState')
      return [typeof first === 'function' ? first() : (first ?? 'state'), this.stub(`${path}.set`)];
    if (/^(useRef)$/.test(name)) return { current: first };
    if (/^(ref|shallowRef)$/.test(name)) return { value: first };
    if (
      /^(reactive|readonly|markRaw|toRaw|unref|defineComponent|useCallback|memo|observer|withRouter)$/.test(
        name,
      )
    )
      return first;
    if (/^(computed)$/.test(name) && typeof first === 'function')
      return {
        get value() {
          return first();
        },
      };
    if (/config/i.test(name)) return { headers: { 'x-config': 'yes' } };
    if (name === 'useMemo' && typeof first === 'function') return first();
    // The number of times that a query is written does not matter.
    if (!name.endsWith('stringify')) this.note(path, args);
    this.collect(path, args);
    return this.stub(`${path}()`);
  }

  note(what, args) {
    if (this.notes.length < 400)
      this.notes.push(`${what}(${args.map((one) => show(one)).join(', ')})`);
  }

  /** Functions that were given away are called, too. */
  collect(path, value, depth = 0) {
    if (typeof value === 'function' && pathOf(value) === undefined) {
      if (this.#spent < 60) {
        this.#spent += 1;
        this.waiting.push({ key: path, run: value });
      }
      return;
    }
    if (depth > 3 || value === null || typeof value !== 'object') return;
    for (const [name, one] of Object.entries(value).slice(0, 40))
      this.collect(`${path}#${name}`, one, depth + 1);
  }

  /** Responses for axios. */
  adapter = async (config, axios) => {
    if (this.isOver) return new Promise(() => {});
    const request = {};
    const url = axios.getUri(config);
    const headers = config.headers.toJSON ? config.headers.toJSON() : { ...config.headers };
    const { data, method, responseType, withCredentials, timeout } = config;
    this.fetched.push(asFetch({ method, url, headers, data }));
    const further = Object.entries(config).filter(
      ([name, value]) => !KNOWN_CONFIG.has(name) && value !== undefined,
    );
    this.requests.push(
      `${method} ${url} ${show(sorted(headers))} ${showBody(data)} ${show({ responseType, withCredentials, timeout })} ${show(sorted(Object.fromEntries(further)))}`,
    );
    const { status, body } = this.scenario;
    await Promise.resolve();
    if (config.signal?.aborted) throw new axios.CanceledError(undefined, config, request);
    if (status === 0) throw new axios.AxiosError('Network Error', 'ERR_NETWORK', config, request);
    const content =
      responseType === 'blob'
        ? new Blob([body])
        : responseType === 'arraybuffer'
          ? new TextEncoder().encode(body).buffer
          : body;
    const response = {
      data: content,
      status,
      statusText: `text of ${status}`,
      headers: { 'content-type': 'application/json', 'x-total': '7' },
      config,
      request,
    };
    const { validateStatus } = config;
    if (!validateStatus || validateStatus(status)) return response;
    throw new axios.AxiosError(
      `Request failed with status code ${status}`,
      'ERR_BAD_REQUEST',
      config,
      request,
      response,
    );
  };

  /** Responses for code that no longer needs axios. */
  fetch = async (url, init = {}) => {
    if (this.isOver) return new Promise(() => {});
    const headers = Object.fromEntries(new Headers(init.headers));
    this.requests.push(
      `fetch ${(init.method ?? 'GET').toLowerCase()} ${url} ${show(sorted(own(headers)))} ${showBody(init.body)}`,
    );
    const { status, body } = this.scenario;
    if (status === 0) throw new TypeError('fetch failed');
    return new Response(status === 204 ? null : body, {
      status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

const KNOWN_CONFIG = new Set([
  'url',
  'baseURL',
  'params',
  'method',
  'headers',
  'data',
  'adapter',
  'transformRequest',
  'transformResponse',
  'responseType',
  'withCredentials',
  'timeout',
  'signal',
  'validateStatus',
  'env',
  'transitional',
  'allowAbsoluteUrls',
  'xsrfCookieName',
  'xsrfHeaderName',
  'maxContentLength',
  'maxBodyLength',
  'paramsSerializer',
]);

// Platforms and axios have default values for these.
const own = (headers) =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value])
      .filter(([name]) => !/^(accept|content-type)$/.test(name)),
  );

/** A request of axios as one that needs it no more would be written. */
export const asFetch = ({ method, url, headers, data }) =>
  `fetch ${method} ${url} ${show(sorted(own(headers)))} ${showBody(data)}`;

const sorted = (value) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

function showBody(data) {
  // Nothing is sent for either.
  if (data === null) return 'undefined';
  if (data instanceof FormData) return `form ${show([...data])}`;
  return show(data);
}

/** A value as text; the same text for values that no reader can distinguish. */
export function show(value, depth = 0, seen = new Set()) {
  // A name that the platform makes up anew each time.
  if (typeof value === 'string') return JSON.stringify(value.replace(/^blob:.*/, 'blob:'));
  if (typeof value === 'function')
    return pathOf(value) === undefined ? 'function' : `<${pathOf(value)}>`;
  if (value === null || typeof value !== 'object') return String(value);
  if (seen.has(value) || depth > 6) return '…';
  seen.add(value);
  const next = (one) => show(one, depth + 1, new Set(seen));
  if (value instanceof Blob) return `Blob(${value.size} ${value.type})`;
  if (value instanceof ArrayBuffer) return `ArrayBuffer(${value.byteLength})`;
  if (value instanceof FormData) return `FormData${next([...value])}`;
  if (value instanceof URLSearchParams) return `URLSearchParams(${value})`;
  if (value instanceof AbortSignal || value instanceof AbortController)
    return value.constructor.name;
  if (value instanceof Promise) return 'a promise';
  if (value instanceof Error) {
    const { name, message, code, response, isAxiosError } = value;
    return `${name}(${show(message)} ${show(code)} ${show(isAxiosError)} ${response ? next(response) : ''})`;
  }
  // The way in which a config builds its URL belongs to axios.
  if ('config' in value && 'headers' in value && 'status' in value) {
    const { status, statusText, data, headers, config } = value;
    // The duration of the request is left out as well.
    const rest = Object.fromEntries(
      Object.entries(value).filter(
        ([name]) => !/^(status|statusText|data|headers|config|request|duration)$/.test(name),
      ),
    );
    return `Response(${status} ${statusText} ${next(data)} ${next({ ...headers })} ${config?.method} ${next(rest)})`;
  }
  if (Array.isArray(value)) return `[${value.map(next).join(', ')}]`;
  const members = Object.keys(value)
    .slice(0, 60)
    .map((name) => `${name}: ${next(value[name])}`);
  return `{ ${members.join(', ')} }`;
}

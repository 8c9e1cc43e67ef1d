/** The globals of the files that run: those of browsers and bundlers, made of stubs. */
import { show } from './world.mjs';

const GLOBALS = [
  'window',
  'document',
  'localStorage',
  'sessionStorage',
  'alert',
  'confirm',
  'prompt',
  'navigator',
  'FileReader',
  'wx',
  'uni',
  'defineProps',
  'defineEmits',
  'defineExpose',
  'withDefaults',
  'Vue',
  '$',
  'jQuery',
  'ElMessage',
  'ElMessageBox',
  'useRouter',
  'useRoute',
  '__VUE_OPTIONS__',
];

const NOW = 1_700_000_000_000;

// Time stands still, so that what is made of it is the same each time.
class SteadyDate extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [NOW] : args));
  }
  static now() {
    return NOW;
  }
}

/** Makes a file find the globals of its world; what it gives goes into `state`. */
export function setGlobals(world, state) {
  const set = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const location = {
    href: 'http://page.test/',
    origin: 'http://page.test',
    protocol: 'http:',
    host: 'page.test',
    hostname: 'page.test',
    port: '',
    pathname: '/',
    search: '',
    hash: '',
    reload: world.stub('reload'),
    replace: world.stub('replace'),
  };
  for (const name of GLOBALS) set(name, world.stub(name));
  const window = new Proxy(
    { location },
    {
      get: (own, name) =>
        name in own
          ? own[name]
          : name in globalThis &&
              typeof name === 'string' &&
              !/^(process|global|Buffer|require|module)$/.test(name)
            ? globalThis[name]
            : typeof name === 'symbol'
              ? undefined
              : world.stub(`window.${name}`),
      has: () => true,
    },
  );
  set('window', window);
  set('location', location);
  set('self', window);
  const storage = (name) =>
    Object.assign(
      Object.create({
        getItem: (key) => (world.note(`${name}.getItem`, [key]), `stored-${key}`),
        setItem: (...args) => world.note(`${name}.setItem`, args),
        removeItem: (...args) => world.note(`${name}.removeItem`, args),
        clear: () => world.note(`${name}.clear`, []),
      }),
      { token: 'stored-token' },
    );
  set('localStorage', storage('localStorage'));
  set('sessionStorage', storage('sessionStorage'));
  set('__stub', (path) => world.stub(path));
  set(
    '__env',
    new Proxy(
      {},
      {
        get: (_, name) =>
          /url|api|base|host/i.test(String(name)) ? `/env-${String(name)}` : `env-${String(name)}`,
      },
    ),
  );
  set('__meta', { env: globalThis.__env, url: 'file:///', glob: () => ({}) });
  set('__held', {});
  set('__site', (number, client) => (world.hits.add(number), client));
  set('__prepare', (axios) => {
    axios.defaults.adapter = (config) => world.adapter(config, axios);
  });
  set('__done', (exports) => (state.exports = exports));
  set('__expose', (names) => (state.locals = names));
  set('__jsx', (type, props, ...children) => {
    world.collect(`<${typeof type === 'string' ? type : show(type)}>`, props);
    return { type: typeof type, children };
  });
  set('__fragment', 'fragment');
  set('fetch', world.fetch);
  set(
    'setTimeout',
    (run, ms, ...args) => (
      world.timers.push({ run, args, id: world.timers.length + 1 }),
      { unref() {}, ref() {}, id: world.timers.length }
    ),
  );
  set(
    'setInterval',
    (run, ms, ...args) => (world.timers.push({ run, args }), { unref() {}, ref() {} }),
  );
  set('clearTimeout', (timer) => timer?.id && (world.timers[timer.id - 1] = {}));
  set('clearInterval', () => {});
  set('requestAnimationFrame', (run) => world.timers.push({ run, args: [] }));
  const console_ = Object.fromEntries(
    ['log', 'error', 'warn', 'info', 'debug', 'table', 'trace'].map((name) => [
      name,
      (...args) => world.note(`console.${name}`, args),
    ]),
  );
  set('console', { ...console_, assert() {}, group() {}, groupEnd() {}, time() {}, timeEnd() {} });
  set('Date', SteadyDate);
  Math.random = () => 0.5;
  process.env = new Proxy(
    { NODE_ENV: 'production' },
    {
      get: (own, name) =>
        typeof name !== 'string'
          ? undefined
          : name in own
            ? own[name]
            : /url|api|base|host/i.test(name)
              ? `/env-${name}`
              : `env-${name}`,
      has: () => true,
      ownKeys: () => ['NODE_ENV'],
      getOwnPropertyDescriptor: () => ({
        value: '',
        enumerable: true,
        configurable: true,
        writable: true,
      }),
    },
  );
}

/** Finds the functions of a module that can be called from outside. */
import { argumentsFor, parametersOf } from './arguments.mjs';
import { pathOf } from './world.mjs';

const isPlain = (value) =>
  value !== null &&
  typeof value === 'object' &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** The functions that can be reached from what a module has at its top. */
export function entriesOf(state, world) {
  const entries = new Map();
  const seen = new Set();
  const visit = (key, value, self, depth) => {
    if (value === undefined || value === null || seen.has(value)) return;
    if (typeof value === 'function') {
      if (pathOf(value) !== undefined) return;
      seen.add(value);
      if (/^class\b/.test(Function.prototype.toString.call(value))) {
        for (const name of Object.getOwnPropertyNames(value))
          if (typeof value[name] === 'function' && name !== 'prototype')
            visit(`${key}.${name}`, value[name], () => value, depth + 1);
        let made;
        const make = () =>
          (made ??=
            attempt(() => new value(...argumentsFor(parametersOf(value), world))) ??
            Object.create(value.prototype));
        for (const name of Object.getOwnPropertyNames(value.prototype)) {
          const { value: method } = Object.getOwnPropertyDescriptor(value.prototype, name);
          if (name !== 'constructor' && typeof method === 'function')
            entries.set(`${key}#${name}`, { run: method, self: make });
        }
        const own = attempt(make);
        for (const name of Object.keys(own ?? {}))
          if (typeof own[name] === 'function' && pathOf(own[name]) === undefined)
            entries.set(`${key}#${name}`, { run: own[name], self: make });
        return;
      }
      entries.set(key, { run: value, self });
      return;
    }
    if (depth > 4 || typeof value !== 'object') return;
    seen.add(value);
    if (Array.isArray(value))
      return value
        .slice(0, 30)
        .forEach((one, at) => visit(`${key}[${at}]`, one, () => value, depth + 1));
    if (!isPlain(value)) {
      const type = Object.getPrototypeOf(value)?.constructor;
      if (
        typeof type === 'function' &&
        /^class\b/.test(Function.prototype.toString.call(type)) &&
        type.name !== 'AxiosHeaders'
      )
        for (const name of [...Object.getOwnPropertyNames(type.prototype), ...Object.keys(value)]) {
          const method = attempt(() => value[name]);
          if (
            name !== 'constructor' &&
            typeof method === 'function' &&
            pathOf(method) === undefined
          )
            entries.set(`${key}#${name}`, { run: method, self: () => value });
        }
      return;
    }
    const own = isComponent(value)
      ? componentSelf(value, world)
      : self && components.has(self)
        ? self
        : () => value;
    for (const name of Object.keys(value))
      visit(
        `${key}.${name}`,
        attempt(() => value[name]),
        own,
        depth + 1,
      );
  };
  for (const [name, get] of Object.entries(state.locals ?? {}))
    visit(name, attempt(get), undefined, 0);
  const { exports } = state;
  if (typeof exports === 'function') visit('exports', exports, undefined, 0);
  for (const name of Object.keys(Object(exports)))
    visit(
      name,
      attempt(() => exports[name]),
      undefined,
      0,
    );
  return entries;
}

const isComponent = (value) =>
  ['methods', 'data', 'mounted', 'created', 'computed'].some(
    (name) => name in value && /^(function|object)$/.test(typeof value[name]),
  );

// `this` of a component: its data and methods, and a stub for all else.
const components = new WeakSet();

function componentSelf(component, world) {
  let self;
  const get = () => {
    if (self) return self;
    const own = {};
    self = new Proxy(own, {
      get: (target, name) =>
        name in target
          ? target[name]
          : typeof name === 'symbol' || name === 'then'
            ? undefined
            : world.stub(`this.${name}`),
      set: (target, name, value) => (
        world.note(`this.${String(name)} =`, [value]),
        (target[name] = value),
        true
      ),
      has: () => true,
    });
    for (const [name, method] of Object.entries(component.methods ?? {}))
      if (typeof method === 'function') own[name] = method.bind(self);
    const data =
      typeof component.data === 'function'
        ? attempt(() => component.data.call(self, self))
        : component.data;
    if (isPlain(data)) Object.assign(own, data);
    return self;
  };
  components.add(get);
  return get;
}

/** The result of an action; undefined where it fails. */
export function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

// @ts-check
/**
 * Runs an example in a frame of its own, which can reach neither the page nor a network. The page sends its files, as they were typed:
 * they are compiled here, the servers among them start, and the entry's default export is rendered.
 */
import * as react from 'react';
import * as jsx from 'react/jsx-runtime';
import { createRoot } from 'react-dom/client';
import * as restitch from 'restitch';
import * as bindings from 'restitch/react';
import { transform } from 'sucrase';
import { createNetwork } from './http.mjs';

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {unknown} error */
const show = (error) => {
  element('error').textContent = String(error);
};

/** @param {string} line */
const log = (line) => {
  const item = document.createElement('li');
  item.textContent = line;
  element('requests').prepend(item);
};

/** @param {Readonly<Record<string, string>>} files @param {string} entry */
function run(files, entry) {
  const { createServer, fetch } = createNetwork(log);
  globalThis.fetch = fetch;
  /** @type {Record<string, unknown>} */
  const builtIn = {
    react,
    'react/jsx-runtime': jsx,
    restitch,
    'restitch/react': bindings,
    'node:http': { createServer },
  };
  /** @type {Map<string, { exports: Record<string, unknown> }>} */
  const loaded = new Map();
  /** @param {string} name @returns {unknown} */
  const load = (name) => {
    if (name in builtIn) return builtIn[name];
    const path = Object.keys(files).find((file) => baseOf(file) === baseOf(name));
    if (path === undefined) throw new Error(`There is no module ${name} in this example.`);
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const { code } = transform(files[path] ?? '', {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      filePath: path,
    });
    // oxlint-disable-next-line typescript/no-implied-eval -- the reader's own code, in a frame without any rights
    new Function('require', 'module', 'exports', code)(load, module, module.exports);
    return module.exports;
  };
  for (const file of Object.keys(files).filter((name) => name.endsWith('.mjs'))) load(file);
  // The cast: the entry of an example exports a component.
  const { default: App } = /** @type {{ default: react.ComponentType }} */ (load(entry));
  createRoot(element('root'), { onUncaughtError: show }).render(react.createElement(App));
}

/** The name of a module without folders and extension: files of one example have names of their own. @param {string} name */
const baseOf = (name) => name.replace(/^.*\//, '').replace(/\.\w+$/, '');

addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  try {
    run(data.files, data.entry);
  } catch (error) {
    show(error);
  }
});
addEventListener('error', ({ error }) => show(error));
addEventListener('unhandledrejection', ({ reason }) => show(reason));
parent.postMessage('ready', '*');

import { describe, expect, it } from 'vitest';
import { bundle, freeNames } from './bundle.js';

/** What React Native, workers, Node and browsers all have. */
const everywhere = [
  'AbortController',
  'Blob',
  'FormData',
  'Headers',
  'Response',
  'clearTimeout',
  'console',
  'fetch',
  'queueMicrotask',
  'setTimeout',
];

/** What some of them lack: named below a `typeof` only. */
const somewhere = ['DOMException', 'ReadableStream', 'URLSearchParams', 'XMLHttpRequest'];

/** Where the host is asked for parts by name, and why. */
const askers = new Map([
  [
    'packages/restitch/src/controller/Environment.ts',
    'the page and the network, each may be missing',
  ],
  ['packages/restitch/src/controller/pageClose.ts', 'the end of a page, which some hosts lack'],
  ['packages/restitch/src/host/isOneOf.ts', 'the classes of bodies, each may be missing'],
  [
    'packages/restitch/src/managers/streamSource.ts',
    'web sockets and server-sent events, each may be missing, each can be given',
  ],
  ['packages/restitch/src/host/startTimer.ts', 'the timers, which a browser runs only as its own'],
  ['packages/restitch/src/managers/DevToolsManager.ts', 'an extension that some browsers have'],
]);

describe.each([
  ['restitch', `export * from 'restitch';`],
  ['restitch/react', `export * from 'restitch/react';`],
  ['restitch/testing/fixtures', `export * from 'restitch/testing/fixtures';`],
])('everything that %s imports', (_, contents) => {
  it('names nothing of a browser', async () => {
    const { code } = await bundle(contents);
    const names = await freeNames(code);
    expect([...names].filter((name) => ![...everywhere, ...somewhere].includes(name))).toEqual([]);
    for (const name of somewhere) {
      if (names.has(name)) expect(code).toContain(`typeof ${name} === "function"`);
    }
  });

  it('uses parts of the host in few places', async () => {
    const { sources } = await bundle(contents);
    const reaching = [...sources].filter(([, text]) => /\bglobalThis\b/.test(text));
    for (const [file] of reaching) expect(askers.has(file), file).toBe(true);
  });

  it('is the library and its one dependency', async () => {
    const { sources } = await bundle(contents);
    const folders = [...sources.keys()].map((file) => file.split('/').slice(0, 3).join('/'));
    const allowed = ['packages/restitch/src', 'node_modules/path-to-regexp/dist'];
    expect(folders.filter((folder) => !allowed.includes(folder))).toEqual([]);
  });
});

describe('the finder of names', () => {
  it('finds undeclared names, and leaves out those that are only looked for', async () => {
    const code = `
      export const title = document.title;
      const window = 1;
      export default () => [window, typeof navigator, new Map(), location];`;
    expect([...(await freeNames(code))].toSorted()).toEqual(['document', 'location']);
  });
});

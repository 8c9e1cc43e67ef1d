// @ts-check
/** Prints the download size of an application, next to other data clients bundled the same way; fails above a limit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSize, kB } from './bundleSize.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const peersFolder = join(root, 'tools', 'sizes');

/**
 * In bytes. The goal is what the library was to weigh when it is complete; the limit is what it weighs today and a little
 * room, so that it cannot grow unnoticed. Lower it with each saving.
 */
const rows = [
  { name: 'core without React', code: `export * from 'restitch';`, goal: 7_000, limit: 81_960 },
  {
    name: 'everything (core + React binding)',
    code: `export * from 'restitch'; export * from 'restitch/react';`,
    goal: 9_600,
    limit: 89_600,
  },
  {
    name: 'an application: resource, reading hooks',
    code: `export { Entity, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, useSuspense } from 'restitch/react';`,
    limit: 53_780,
  },
  {
    name: 'the same with getState and hydrate',
    code: `export { Entity, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, useSuspense } from 'restitch/react';
      export { getState, hydrate } from 'restitch/state';`,
    limit: 60_380,
  },
  {
    name: 'the application with usePending, keyOf',
    code: `export { Entity, keyOf, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, usePending, useSuspense } from 'restitch/react';`,
    limit: 55_140,
  },
  {
    name: 'the application with getState and changes',
    code: `export { Entity, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, useSuspense } from 'restitch/react';
      export { changes, getState } from 'restitch/state';`,
    limit: 58_200,
  },
  {
    name: 'the application with infinite, byCursor',
    code: `export { byCursor, Entity, infinite, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, useSuspense } from 'restitch/react';`,
    limit: 62_740,
  },
  {
    name: 'the application with useWindow, byOffset',
    code: `export { byOffset, Entity, resource } from 'restitch';
      export { AsyncBoundary, DataProvider, useController, useSuspense, useWindow } from 'restitch/react';`,
    limit: 64_820,
  },
  {
    name: 'one import: RestEndpoint',
    code: `export { RestEndpoint } from 'restitch';`,
    limit: 7_220,
  },
  {
    name: 'one import: axiosEndpoint',
    code: `export { axiosEndpoint } from 'restitch/axios';`,
    limit: 9_300,
  },
];

/** Typical imports of an application; what each does that the others do not is said in the README. */
const peers = [
  {
    name: '@tanstack/react-query',
    code: `export { QueryClient, QueryClientProvider, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';`,
  },
  {
    name: 'swr',
    code: `export { default, SWRConfig, useSWRConfig } from 'swr'; export { default as useMutation } from 'swr/mutation';`,
  },
  {
    name: '@reduxjs/toolkit',
    with: ' (RTK Query) + react-redux',
    code: `export { configureStore } from '@reduxjs/toolkit';
      export { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'; export { Provider } from 'react-redux';`,
  },
  {
    name: '@apollo/client',
    code: `export { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
      export { ApolloProvider, useFragment, useMutation, useSuspenseQuery } from '@apollo/client/react';`,
  },
  {
    name: '@data-client/react',
    with: ' + rest',
    code: `export { AsyncBoundary, CacheProvider, useController, useSuspense } from '@data-client/react';
      export { createResource, Entity } from '@data-client/rest';`,
  },
  { name: 'axios', with: ' (requests only)', code: `export { default } from 'axios';` },
];

const WIDTH = 44;
console.log(
  `${'bundle'.padEnd(WIDTH)}${['minified', 'brotli', 'limit', 'goal'].map((name) => name.padStart(10)).join('')}`,
);
for (const { name, code, limit, goal } of rows) {
  const { minified, brotli } = await bundleSize(code, root);
  const tooLarge = brotli > limit;
  if (tooLarge) process.exitCode = 1;
  const cells = [kB(minified), kB(brotli), kB(limit), goal === undefined ? '' : kB(goal)];
  const line = name.padEnd(WIDTH) + cells.map((cell) => cell.padStart(10)).join('');
  console.log(tooLarge ? `${line}  TOO LARGE by ${brotli - limit} bytes` : line.trimEnd());
}

if (existsSync(join(peersFolder, 'node_modules'))) {
  for (const { name, with: more = '', code } of peers) {
    const manifest = join(peersFolder, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const { minified, brotli } = await bundleSize(code, peersFolder);
    const cells = [kB(minified), kB(brotli)].map((cell) => cell.padStart(10)).join('');
    console.log(`${`${name} ${version}${more}`.padEnd(WIDTH)}${cells}`);
  }
} else {
  console.log('Other data clients are shown after: npm ci --prefix tools/sizes');
}

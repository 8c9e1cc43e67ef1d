import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The files of the library of which a bundler keeps something, from its `src` folder. */
async function filesIn(contents: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source'],
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => file.split('packages/restitch/src/')[1] ?? []);
}

const application = `export { Entity, resource } from 'restitch';
  export { AsyncBoundary, DataProvider, useController, useSuspense } from 'restitch/react';`;

it('an application that exports no state downloads nothing of it', async () => {
  const files = await filesIn(application);
  expect(files).toContain('controller/Controller.ts');
  expect(files.filter((file) => file.startsWith('state/'))).toEqual([]);
});

it('an application that does not poll, stream or use tools downloads only the manager of its provider', async () => {
  const files = await filesIn(application);
  expect(files.filter((file) => file.startsWith('managers/')).sort()).toEqual([
    'managers/FocusManager.ts',
    'managers/RecoveryManager.ts',
  ]);
  const live = await filesIn(`${application} export { useLive } from 'restitch/react';`);
  expect(live).toContain('managers/PollingManager.ts');
});

it('an application without infinite lists downloads none of them', async () => {
  const files = await filesIn(application);
  expect(files.filter((file) => file.startsWith('pagination/'))).toEqual([]);
  const byCursor = await filesIn(`${application} export { byCursor, infinite } from 'restitch';`);
  expect(byCursor).toContain('pagination/infinite.ts');
});

it('getState and hydrate come with restitch/state', async () => {
  const files = await filesIn(`${application} export { getState, hydrate } from 'restitch/state';`);
  expect(files).toEqual(
    expect.arrayContaining([
      'state/exportState.ts',
      'state/hydrateStore.ts',
      'state/hydrationSnapshot.ts',
    ]),
  );
});

it('an application downloads the kinds of schema that it names', async () => {
  const files = await filesIn(application);
  const names =
    'CustomSchema customKind Lazy Query readCustom rowLookup storedForm Union unboundLists unionLookup unionShape Values';
  const unused = names
    .split(' ')
    .map((name) => `schema/${name}.ts`)
    .concat('react/firstLoads.ts', 'store/selections/All.ts', 'store/selections/indexBy.ts');
  expect(files).toContain('schema/shape.ts');
  expect(files.filter((file) => unused.includes(file))).toEqual([]);
  const all = await filesIn(`export * from 'restitch'; export * from 'restitch/react';`);
  expect(all).toEqual(expect.arrayContaining(unused));
});

const UNION = ['Union', 'rowLookup', 'unionLookup', 'unionMembers', 'unionRef', 'unionShape'].map(
  (name) => `schema/${name}.ts`,
);

it.each([
  ['All', ['store/selections/All.ts', 'store/selections/selections.ts']],
  [
    'CustomSchema',
    [
      'schema/CustomSchema.ts',
      'schema/customKind.ts',
      'schema/readCustom.ts',
      'schema/storedForm.ts',
    ],
  ],
  [
    'indexBy',
    ['schema/rowLookup.ts', 'store/selections/indexBy.ts', 'store/selections/selections.ts'],
  ],
  ['Lazy', ['schema/Lazy.ts', 'schema/storedForm.ts']],
  [
    'Query',
    [
      'schema/CustomSchema.ts',
      'schema/Query.ts',
      'schema/customKind.ts',
      'schema/readCustom.ts',
      'schema/storedForm.ts',
    ],
  ],
  ['Union', UNION],
  ['Values', ['schema/Values.ts']],
])('importing %s adds the files of that kind alone', async (name, own) => {
  const [without, files] = [
    await filesIn(application),
    await filesIn(`${application} export { ${name} } from 'restitch';`),
  ];
  const added = files.filter((file) => !without.includes(file));
  // Kinds with a shorthand for a union bring unions along.
  const isShorthand = ['All', 'Values'].includes(name);
  expect(added.toSorted()).toEqual([...own, ...(isShorthand ? UNION : [])].toSorted());
});

/** Runs a minified program that imports only these names, and returns them. */
async function bundled(names: string): Promise<typeof import('restitch')> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names} } from 'restitch';`, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

it('a class of schemas brings along that it takes a map of classes', async () => {
  const { Collection, Controller, Endpoint, Entity } = await bundled(
    'Collection, Controller, Endpoint, Entity',
  );
  class Post extends Entity {
    id = '';
    type = 'post';
  }
  const posts = new Collection([{ post: Post }], { schemaAttribute: 'type' });
  const get = new Endpoint(() => Promise.resolve([{ id: '1', type: 'post' }]), { schema: posts });
  const found = await new Controller({ sweep: false }).fetch(get);
  expect(found[0]).toBeInstanceOf(Post);
});

it('the lists of a resource need no Collection', async () => {
  const { Controller, Entity, resource } = await bundled('Controller, Entity, resource');
  class Post extends Entity {
    id = '';
    topic = '';
  }
  const options = { schema: Post, searchParams: {} as { topic: string } } as const;
  const posts = resource({ ...options, path: '/posts/:id' });
  const drafts = resource({ ...options, path: '/drafts/:id' });
  const controller = new Controller({ sweep: false });
  for (const topic of ['a', 'b']) {
    controller.setResponse(posts.getList, { topic }, []);
    controller.setResponse(drafts.getList, { topic }, []);
  }
  const post = { id: '1', topic: 'a' };
  controller.setResponse(posts.getList.push, { topic: 'a' }, post, post);
  const sizes = [posts, drafts].map(({ getList }) =>
    ['a', 'b'].map((topic) => controller.get(getList.schema, { topic })?.length),
  );
  expect(sizes).toEqual([
    [1, 0],
    [0, 0],
  ]);
  const replace = posts.getList.extend({ method: 'POST', body: undefined });
  controller.setResponse(replace, { topic: 'b' }, [post]);
  const after = [posts, drafts].map(({ getList }) =>
    controller.get(getList.schema, { topic: 'b' }),
  );
  expect(after.map((list) => list?.length)).toEqual([1, 0]);
});

/** Programs on which this model was wrong once. */
import { expect, it } from 'vitest';
import type { ClassSpec, Ending, EndpointSpec, Program, SpaceSpec, Step } from './program.js';
import { PLAIN } from './routes.js';
import { run } from './search.js';

const row: ClassSpec = {
  name: 'Row',
  hasKey: true,
  table: 0,
  size: 1,
  trait: 'plain',
  isPartial: false,
};
const ending: Ending = { how: 'respond', isEarly: false, form: 0 };
const response: Step = { type: 'respond', flight: 0, ending };
const mount = (question: number): Step => ({ type: 'mount', question, suspends: false });
const paged: SpaceSpec = { ...PLAIN, envelope: 1, isPaged: true };

/** A program over one class whose lists are all alike. */
function program(
  form: SpaceSpec,
  cls: Partial<ClassSpec>,
  endpoints: readonly EndpointSpec[],
  steps: readonly Step[],
): Program {
  return {
    classes: [{ ...row, ...cls }],
    spaces: [form, form, form],
    endpoints,
    nest: 'none',
    hasGroups: false,
    tenants: 'none',
    steps,
  };
}

const list = (asks: 'query' | 'path' | 'default', naming: 'home' | 'name'): EndpointSpec => ({
  type: 'list',
  asks,
  preset: 'x',
  cls: 0,
  space: 0,
  prefix: 0,
  list: { container: 'collection', naming },
});
const resource: EndpointSpec = {
  type: 'resource',
  cls: 0,
  space: 0,
  prefix: 0,
  list: { container: 'collection', naming: 'home' },
  hasScopes: false,
  isOptimistic: false,
};

it.each([
  ['mounted', mount(0)],
  ['fetched', { type: 'fetch', question: 0 } as const],
])(
  'two endpoints that read a named list at one URL ask one question: the first is %s',
  async (_, first) => {
    const endpoints = [list('query', 'name'), list('path', 'name')];
    expect(await run(program(PLAIN, {}, endpoints, [first, mount(1), response]))).toBe(3);
  },
);

it('two lists may have pages at one URL', async () => {
  const endpoints = [list('query', 'home'), list('path', 'home')];
  const page = (question: number): Step => ({ type: 'page', question });
  const steps = [mount(0), response, mount(1), response, page(1), page(0), response, response];
  expect(await run(program(paged, {}, endpoints, steps))).toBe(8);
});

it('created rows stay behind pages that are empty', async () => {
  const steps: readonly Step[] = [
    mount(0),
    response,
    { type: 'elsewhere', what: 'drop', pick: 5 },
    { type: 'elsewhere', what: 'edit', pick: 0 },
    { type: 'page', question: 0 },
    response,
    { type: 'mutate', mutation: 0, id: 0 },
    response,
    { type: 'fetch', question: 0 },
    response,
  ];
  expect(await run(program(paged, {}, [list('default', 'home')], steps))).toBe(10);
});

it('a row that is removed and added again stands at the end', async () => {
  const [remove, move] = [4, 5];
  const steps: readonly Step[] = [
    mount(0),
    { type: 'mutate', mutation: remove, id: 3 },
    response,
    { type: 'mutate', mutation: move, id: 3 },
    response,
    response,
  ];
  const at = { ...resource, space: 1 } as const;
  expect(await run(program(PLAIN, {}, [at], steps))).toBe(6);
});

it('a row of which its class makes nothing is added to no list', async () => {
  const steps: readonly Step[] = [
    mount(0),
    { type: 'mutate', mutation: 5, id: 1 },
    response,
    response,
  ];
  expect(await run(program(PLAIN, { trait: 'vanishing' }, [resource], steps))).toBe(4);
});

it('a row that moves, and is not known completely, may enter no list', async () => {
  const steps: readonly Step[] = [
    mount(0),
    response,
    { type: 'mutate', mutation: 5, id: 0 },
    response,
    response,
  ];
  expect(await run(program({ ...PLAIN, detail: 2 }, { size: 2 }, [resource], steps))).toBe(5);
});

it('a shared list takes an argument without members for none', async () => {
  const call = (first: number): EndpointSpec => ({
    type: 'function',
    name: 'load',
    binds: false,
    first,
    cls: 0,
    list: { container: 'collection', naming: 'name' },
  });
  const steps: readonly Step[] = [{ type: 'fetch', question: 3 }, response];
  expect(await run(program(PLAIN, {}, [call(10), call(20)], steps))).toBe(2);
});

it('a search with an empty body asks for the whole of a named list', async () => {
  const named = { container: 'collection', naming: 'name' } as const;
  const at: EndpointSpec = { ...resource, list: named };
  const search: EndpointSpec = { type: 'search', cls: 0, list: named };
  expect(await run(program(PLAIN, {}, [at, search], [mount(0), response]))).toBe(2);
});

it.each([
  ['created', 2],
  ['moved', 5],
])('a row that is %s joins no list with a search text', async (_, edit) => {
  const named = { container: 'collection', naming: 'name' } as const;
  const search: EndpointSpec = { type: 'search', cls: 0, list: named };
  const at: EndpointSpec = { ...resource, list: named };
  const steps: readonly Step[] = [
    mount(0),
    response,
    { type: 'mutate', mutation: edit, id: 1 },
    response,
  ];
  expect(await run(program(PLAIN, {}, [search, at], steps))).toBe(4);
});

it('a row that a mutation makes anew holds none of the rows that it held before its delete', async () => {
  const [update, remove] = [0, 1];
  const mutate = (mutation: number): Step => ({ type: 'mutate', mutation, id: 0 });
  const later: Step = { type: 'respond', flight: 1, ending };
  const steps = [mount(1), mutate(remove), response, mutate(update), later, response];
  const nesting = { ...PLAIN, isNesting: true };
  const owners = program(nesting, {}, [resource], steps);
  const classes = [row, { ...row, table: 1 } as const];
  expect(await run({ ...owners, classes, nest: 'own' })).toBe(6);
});

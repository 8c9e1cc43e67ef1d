/** State that leaves the process needs names; tools that look into a store do not. */
import { PassThrough } from 'node:stream';
import {
  Collection,
  Controller,
  DevToolsManager,
  Endpoint,
  Entity,
  RestEndpoint,
  type StoreState,
  Union,
  Values,
} from 'restitch';
import {
  dehydrate,
  serializeState,
  stateSource,
  stateTransform,
  stateTransformStream,
} from 'restitch/ssr';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { load } from '../support/load.js';

class Person extends Entity {
  id = '';
  name = '';
}
class Pet extends Entity {
  id = '';
  owner: Person | undefined = undefined;
  static override key = 'NamedPet';
  static override schema: Record<string, unknown> = { owner: Person };
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};
const thrownBy = (work: () => unknown): string => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return String(error);
  }
};
const named = <S>(name: string, schema: S) =>
  new Endpoint(async (_: object): Promise<any> => null, { name, schema });

function withPerson(): Controller {
  const controller = new Controller();
  controller.set(Person, { id: '1' }, { name: 'Ann' });
  return controller;
}

describe('a class without a key keeps state from leaving', () => {
  it.each<[name: string, leave: (controller: Controller) => unknown]>([
    ['getState', (controller) => getState(controller)],
    ['dehydrate', dehydrate],
    ['serializeState', (controller) => serializeState(controller)],
    ['stateSource', (controller) => stateSource(controller)()],
  ])('by %s, which names the class and what to do', (_, leave) => {
    const controller = withPerson();
    expect(codeOf(() => leave(controller))).toBe('entity-without-key');
    expect(thrownBy(() => leave(controller))).toMatch(/Person needs a `static key`/);
  });

  const single = { id: '1' };
  it.each<[claim: string, schema: unknown, response: unknown]>([
    ['a record', Person, single],
    ['an array that is empty', [Person], []],
    ['a list that is empty', new Collection([Person]), []],
    ['a map of a list that is empty', new Collection(new Values(Person)), {}],
    ['a field of an object that is null', { person: Person }, { person: null }],
    ['a union that is null', [new Union({ person: Person }, () => 'person')], []],
    ['a relation that is null', Pet, { id: '1', owner: null }],
  ])('where it is %s', (_, schema, response) => {
    const controller = new Controller();
    controller.setResponse(named('read', schema), {}, response as never);
    expect(codeOf(() => getState(controller))).toBe('entity-without-key');
  });

  it('unless it was only requested, or each record was deleted or failed', async () => {
    const controller = new Controller();
    controller.get(Person, '1');
    controller.get(Pet, '1');
    controller.observe(named('read', [Person]), {}).getSnapshot();
    controller.setError(named('fail', Person), {}, new Error('no'));
    expect(getState(controller)).toMatchObject({ entities: {}, lists: {}, results: [] });
  });

  it('until it has one, its own or an inherited one', () => {
    class Keyed extends Person {
      static override key = 'KeyedPerson';
    }
    class Inherited extends Keyed {}
    const controller = new Controller();
    controller.set(Keyed, { id: '1' }, {});
    controller.set(Inherited, { id: '2' }, {});
    expect(Object.keys(getState(controller).entities)).toEqual(['KeyedPerson']);
  });
});

describe('the streams of a page end with that error', () => {
  it('stateTransform throws it at React, which aborts the page', async () => {
    const html = stateTransform(withPerson()) as PassThrough & { flush(): void };
    html.write('<p>');
    expect(codeOf(() => html.flush())).toBe('entity-without-key');
  });

  it.each(['while the page goes on', 'at its end'])('stateTransform fails %s', async (when) => {
    const html = stateTransform(withPerson()) as PassThrough;
    const failed = new Promise((resolve) => html.on('error', resolve));
    if (when === 'at its end') html.end('<p');
    else html.write('<p>');
    expect(await failed).toMatchObject({ code: 'entity-without-key' });
    expect(html.destroyed).toBe(true);
  });

  it.each(['while the page goes on', 'at its end'])(
    'stateTransformStream fails %s',
    async (when) => {
      const { readable, writable } = stateTransformStream(withPerson());
      const writer = writable.getWriter();
      const reading = new Response(readable).text();
      writer.write(new TextEncoder().encode('<p>')).catch(() => {});
      if (when === 'at its end') writer.close().catch(() => {});
      await expect(reading).rejects.toMatchObject({ code: 'entity-without-key' });
    },
  );
});

describe('an endpoint without a name', () => {
  const getTime = new Endpoint(async function getTime(_zone: string) {
    return { now: 5 };
  });

  it('keeps its results from leaving', () => {
    const controller = new Controller();
    controller.setResponse(getTime, 'Paris', { now: 5 });
    expect(codeOf(() => getState(controller))).toBe('endpoint-without-name');
    expect(thrownBy(() => getState(controller))).toMatch(/getTime needs a `name` or `key`/);
  });

  it('is said to have none where its function has none', () => {
    const controller = new Controller();
    controller.setResponse(new Endpoint(async () => 5), 5);
    expect(thrownBy(() => getState(controller))).toMatch(/An endpoint needs/);
  });

  it.each<[claim: string, endpoint: (call: () => Promise<any>) => any]>([
    ['a name', (call) => new Endpoint(call, { name: 'getFive' })],
    ['a key', (call) => new Endpoint(call, { key: () => 'five' })],
    ['a name by extend', (call) => new Endpoint(call).extend({ name: 'getFive' } as any)],
    ['a path', () => new RestEndpoint({ path: '/five' })],
  ])('has its results exported once it has %s', (_, make) => {
    const endpoint = make(async () => 5);
    const [server, browser] = [new Controller(), new Controller()];
    server.setResponse(endpoint, 5 as never);
    hydrate(browser, JSON.parse(JSON.stringify(getState(server))));
    expect(browser.getResponse(endpoint)).toBe(5);
  });

  it('may ask for lists, which it keeps from leaving too', () => {
    class Keyed extends Entity {
      id = '';
      static override key = 'UnnamedKeyed';
    }
    const getKeyed = new Endpoint(async (): Promise<any> => [], {
      schema: new Collection([Keyed]),
    });
    const controller = new Controller();
    controller.setResponse(getKeyed, []);
    expect(codeOf(() => getState(controller))).toBe('endpoint-without-name');
    controller.setError(getKeyed, new Error('no'));
    expect(codeOf(() => getState(controller))).toBe('list-without-name');
    expect(thrownBy(() => getState(controller))).toMatch(/Collection of UnnamedKeyed needs a/);
  });
});

it('a list that stands at no endpoint and has no name keeps state from leaving', () => {
  class Keyed extends Entity {
    id = '';
    static override key = 'UnnamedAlone';
  }
  const controller = new Controller();
  controller.set(new Collection([Keyed], { name: 'alone' }), {}, [{ id: '1' }]);
  expect(Object.values(getState(controller).lists)).toHaveLength(1);
  controller.set(new Collection([Keyed]), {}, [{ id: '1' }]);
  expect(codeOf(() => getState(controller))).toBe('list-without-name');
});

describe('two results that would be one in another program', () => {
  const getUser = new RestEndpoint({
    path: '/users/:id',
    name: 'getUser',
    process: (value: unknown) => value,
  });
  const getName = getUser.extend({ name: 'getName', process: ({ name }: any) => name });

  function controllerWith(reports: { code?: string; message: string }[] = []) {
    const controller = new Controller({
      environment: { report: (error) => reports.push(error as Error) },
    });
    controller.setResponse(getUser, { id: '1' }, { name: 'Ann' } as never);
    controller.setResponse(getName, { id: '1' }, 'Ann' as never);
    controller.setResponse(getUser, { id: '2' }, { name: 'Bob' } as never);
    return controller;
  }

  it('are both left out, and the others are exported', () => {
    const { results } = getState(controllerWith());
    expect(results.map(({ key }) => key)).toEqual(['GET /users/2']);
  });

  it('are reported once, by the names of their endpoints', () => {
    const reports: { code?: string; message: string }[] = [];
    const controller = controllerWith(reports);
    getState(controller);
    getState(controller);
    expect(reports).toMatchObject([{ code: 'ambiguous-result' }]);
    expect(reports[0]?.message).toMatch(/^getUser and getName .* GET \/users\/1/);
  });

  it('are two with a key of its own', () => {
    const controller = controllerWith();
    const other = getName.extend({ key: ({ id }: any) => `name of ${id}` } as any) as any;
    controller.setResponse(other, { id: '2' }, 'Bob' as never);
    expect(getState(controller).results.map(({ key }) => key)).toEqual([
      'GET /users/2',
      'name of 2',
    ]);
  });
});

describe('tools that look into a store', () => {
  function look(controller: (options: ConstructorParameters<typeof Controller>[0]) => Controller) {
    const states: StoreState[] = [];
    const types: string[] = [];
    const extension = {
      connect: () => ({
        init: (state: unknown) => void states.push(state as StoreState),
        send: (action: { readonly type: string }, state: unknown) => {
          types.push(action.type);
          states.push(state as StoreState);
        },
      }),
    };
    const made = controller({ managers: [new DevToolsManager({ extension })] });
    return { made, states, types };
  }

  it('get a name and a number for members without a name, and never fail', async () => {
    const { made, states, types } = look((options) => new Controller(options));
    const getPeople = new Endpoint(
      async function getPeople(_: { page: number }) {
        return [{ id: '1', name: 'Ann' }];
      },
      { schema: new Collection([Person]) },
    );
    await made.fetch(getPeople, { page: 1 });
    const last = states.at(-1);
    const [table = ''] = Object.keys(last?.entities ?? {});
    expect(table).toMatch(/^Person#\d+$/);
    expect(last?.entities[table]?.[0]?.fields).toEqual({ id: '1', name: 'Ann' });
    expect(Object.keys(last?.lists ?? {})[0]).toContain(table);
    expect(last?.results[0]?.key).toMatch(/^getPeople#\d+ \[\{"page":1\}\]$/);
    expect(types.every((type) => /^(fetch|receive) getPeople#\d+ /.test(type))).toBe(true);
  });

  it('distinguish two classes of one name', () => {
    const classes = [1, 2].map(() => {
      class Same extends Entity {
        id = '';
      }
      return Same;
    });
    const { made, states } = look((options) => new Controller(options));
    for (const [index, Same] of classes.entries()) made.set(Same, { id: String(index) }, {});
    const tables = Object.keys(states.at(-1)?.entities ?? {});
    expect(new Set(tables).size).toBe(2);
    expect(tables.every((name) => /^Same#\d+$/.test(name))).toBe(true);
  });
});

it('production says the same', async () => {
  const restitch = await load('production');
  const state = await import('restitch/state');
  class Anonymous extends restitch.Entity {
    id = '';
  }
  const controller = new restitch.Controller();
  controller.set(Anonymous, { id: '1' }, {});
  expect(codeOf(() => state.getState(controller))).toBe('entity-without-key');
  expect(thrownBy(() => state.getState(controller))).toMatch(/Anonymous needs a `static key`/);
});

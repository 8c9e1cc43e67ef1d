/** Readers that looked into the store before state arrived, and state whose results were refused. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  indexBy,
  type StoreState,
  Union,
} from 'restitch';
import { applyChange, changes, getState, hydrate, openStream } from 'restitch/state';
import { hydrate as hydratePage } from 'restitch/ssr';
import { describe, expect, it } from 'vitest';

class Owner extends Entity {
  id = '';
  name = 'nobody';
  static override key = 'LookedOwner';
}

/** The classes and endpoints of one build. Another build declares `owner` in another way. */
function build(owner: unknown = Owner, more: object = {}) {
  class Task extends Entity {
    id = '';
    code = '';
    rating = 5;
    owner: any = undefined;
    static override key = 'LookedTask';
    static override schema = (owner ? { owner } : {}) as Record<string, any>;
    static override indexes = indexBy('code');
  }
  Object.assign(Task, more);
  class Plan extends Entity {
    id = '';
    main: any = undefined;
    tasks: any = [];
    static override key = 'LookedPlan';
    static override schema = { main: Task, tasks: new Collection([Task]) } as Record<string, any>;
  }
  const named = (name: string, schema: unknown): Endpoint<any> =>
    new Endpoint(async (_: object): Promise<any> => null, { name, schema }) as any;
  return {
    Task,
    getTask: named('getTask', Task),
    getList: named('getList', new Collection([Task])),
    getArray: named('getArray', [Task]),
    getPage: named('getPage', {
      items: new Collection([Task], { name: 'looked items' }),
      total: 0,
    }),
    getEither: named('getEither', new Collection([new Union({ task: Task }, () => 'task')])),
    getPlan: named('getPlan', Plan),
    getPlans: named('getPlans', new Collection([Plan])),
  };
}
type Build = ReturnType<typeof build>;
type Name = Exclude<keyof Build, 'Task'>;

const copied = (state: StoreState): StoreState => JSON.parse(JSON.stringify(state));
const transferred = (controller: Controller): StoreState => copied(getState(controller));

const responses = (task: object): [name: Name, args: object, response: unknown][] => [
  ['getTask', { id: '1' }, task],
  ['getTask', { code: 'a' }, task],
  ['getList', {}, [{ id: '2' }, task]],
  ['getArray', {}, [{ id: '2' }, task]],
  ['getPage', {}, { items: [task], total: 1 }],
  ['getEither', {}, [task]],
  ['getPlan', { id: 'p' }, { id: 'p', main: task }],
  ['getPlan', { id: 'p' }, { id: 'p', tasks: [{ id: '2' }, task] }],
  ['getPlans', {}, [{ id: 'p', tasks: [task] }]],
];

const ways: [name: string, take: (controller: Controller, state: StoreState) => void][] = [
  ['hydrate', hydrate],
  ['hydrate of a page', hydratePage],
  [
    'a stream',
    (controller, state) => {
      const stream = openStream(controller);
      stream.hydrate(state);
      stream.close();
    },
  ],
];

const looks: [
  name: string,
  look: (controller: Controller, one: Build, name: Name, args: object) => void,
][] = [
  ['nobody looked', () => {}],
  ['getResponse', (controller, one, name, args) => controller.getResponse(one[name], args)],
  ['observe', (controller, one, name, args) => controller.observe(one[name], args).getSnapshot()],
  ['a detail', (controller, one) => controller.getResponse(one.getTask, { id: '1' })],
  ['a query', (controller, one) => controller.get(one.Task, '1')],
];

const silent = () => new Controller({ environment: { report: () => {} } });

const cases: [cause: string, before: () => Build, task: object, after: () => Build][] = [
  [
    'a value that JSON cannot carry',
    () => build(),
    { id: '1', code: 'a', rating: NaN },
    () => build(),
  ],
  [
    'a field of another class',
    () => build(null),
    { id: '1', code: 'a', owner: 'ada' },
    () => build(),
  ],
  [
    'a record that its class rejects',
    () => build(),
    { id: '1', code: 'a', rating: 7 },
    () =>
      build(Owner, {
        validate({ rating }: { rating: number }) {
          if (rating === 7) throw new Error('no');
        },
      }),
  ],
];

describe.each(cases)('%s makes each reader fetch', (_, before, task, after) => {
  function saved(name: Name, args: object, response: unknown): StoreState {
    const controller = new Controller();
    const one = before();
    controller.setResponse(one[name], args, response);
    return transferred(controller);
  }

  function expectFetch(controller: Controller, one: Build, name: Name, args: object): void {
    const view = controller.observe(one[name], args);
    expect(view.getSnapshot().status).toBe('pending');
    expect(view.needsLoad()).toBe(true);
    expect(controller.getResponse(one[name], args)).toBeUndefined();
  }

  describe.each(ways)('with %s', (__, take) => {
    it.each(looks)('after %s', (___, look) => {
      for (const [name, args, response] of responses(task)) {
        const controller = silent();
        const one = after();
        look(controller, one, name, args);
        take(controller, saved(name, args, response));
        expectFetch(controller, one, name, args);
      }
    });

    it.each(looks)('after further exports, each after %s', (___, look) => {
      for (const [name, args, response] of responses(task)) {
        let state = saved(name, args, response);
        for (let hop = 0; hop < 3; hop += 1) {
          const controller = silent();
          const one = after();
          take(controller, state);
          look(controller, one, name, args);
          state = transferred(controller);
        }
        const controller = silent();
        take(controller, state);
        expectFetch(controller, after(), name, args);
      }
    });
  });

  it('from a copy that follows the changes', () => {
    for (const [name, args, response] of responses(task)) {
      const origin = silent();
      const one = after();
      let state = copied(getState(origin));
      changes(origin, (change) => {
        state = copied(applyChange(state, change));
      });
      hydrate(origin, saved(name, args, response));
      for (const [, look] of looks) {
        look(origin, one, name, args);
        const controller = silent();
        hydrate(controller, state);
        expectFetch(controller, after(), name, args);
      }
    }
  });
});

describe('a reader that looked before', () => {
  it('is ready if nothing is missing', () => {
    for (const [name, args, response] of responses({ id: '1', code: 'a', rating: 3 })) {
      const [server, controller] = [new Controller(), new Controller()];
      server.setResponse(build()[name], args, response);
      const one = build();
      controller.getResponse(one[name], args);
      hydrate(controller, transferred(server));
      const view = controller.observe(one[name], args);
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
      expect(view.needsLoad()).toBe(false);
    }
  });

  it('takes the response of its own request in flight', async () => {
    const server = new Controller();
    server.setResponse(build().getList, {}, [{ id: '1', rating: NaN }]);
    const controller = new Controller();
    const one = build();
    const respond = async () => [{ id: '1', rating: NaN }];
    const getList = one.getList.extend({ fetch: respond } as any) as any;
    const view = controller.observe<any>(getList, {});
    const loading = view.load();
    hydrate(controller, transferred(server));
    expect(view.getSnapshot().status).toBe('pending');
    await loading;
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [{ rating: NaN }] });
    expect(view.needsLoad()).toBe(false);
  });

  it('shows an incomplete record of a class with `static partial`, and fetches it', () => {
    const server = new Controller();
    server.setResponse(build().getTask, { id: '1' }, { id: '1', rating: NaN });
    const state = transferred(server);
    for (const isLooking of [true, false]) {
      const controller = new Controller();
      const one = build(Owner, { partial: true });
      if (isLooking) controller.getResponse(one.getTask, { id: '1' });
      hydrate(controller, { ...state, results: [] });
      const view = controller.observe(one.getTask, { id: '1' });
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', partial: true });
      expect(view.needsLoad()).toBe(true);
    }
  });
});

/** Identity 2.7: a `Collection` that is used by itself while it has one home, and gets a second one then. */
import { Collection, Controller, Endpoint, Entity, Query, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { flush, listen } from '../support/world.js';

class Note extends Entity {
  id = '';
  text = '';
}

/** A list with one home, which is loaded, and how to declare another home. */
function openWorld() {
  const notes = new Collection([Note]);
  const at = (path: string) =>
    new RestEndpoint({ urlPrefix: 'http://127.0.0.1:9', path, schema: notes });
  const getNotes = at('/notes');
  const controller = new Controller();
  controller.setResponse(getNotes, {}, [{ id: '1', text: 'first' }]);
  return { controller, notes, getNotes, declare: () => at('/archive') };
}

let world: ReturnType<typeof openWorld>;
beforeEach(() => {
  world = openWorld();
});

const refusal = expect.objectContaining({
  code: 'ambiguous-list',
  message: expect.stringMatching(/\/notes, .*\/archive/) as string,
}) as object;

describe('a Collection that is used by itself and gets a second home', () => {
  type World = typeof world;
  it.each<[string, (world: World) => unknown]>([
    ['controller.get', ({ controller, notes }) => controller.get(notes, {})],
    ['controller.get of an object', ({ controller, notes }) => controller.get({ notes }, {})],
    ['controller.set', ({ controller, notes }) => controller.set(notes, {}, [{ id: '2' }])],
    [
      'controller.set of an edit',
      ({ controller, notes }) => controller.set(notes.push, {}, { id: '2' }),
    ],
    [
      'controller.observeQuery',
      ({ controller, notes }) => controller.observeQuery(notes, {}).getSnapshot(),
    ],
  ])('is refused by %s, which names the homes', (_, use) => {
    use(world);
    world.declare();
    expect(() => use(world)).toThrow(refusal);
    expect(() => use(world)).toThrow(refusal);
  });

  it('is refused inside a Query, also one that is observed', () => {
    const { controller, notes, declare } = world;
    const count = new Query(notes, (rows) => rows.length);
    expect(controller.get(count, {})).toBe(1);
    controller.observeQuery(count, {}).getSnapshot();
    declare();
    expect(() => controller.get(count, {})).toThrow(refusal);
    expect(() => controller.observeQuery(count, {})).toThrow(refusal);
  });

  it.each<[string, (notes: World['notes']) => unknown]>([
    ['edit', (notes) => notes.push],
    ['list', (notes) => notes],
    ['edit in an envelope', (notes) => ({ data: notes.push })],
  ])('is refused by a mutation whose schema holds the %s, before it is sent', async (_, make) => {
    const { controller, notes, getNotes, declare } = world;
    let sent = 0;
    const create = new Endpoint(async () => ((sent += 1), null), {
      name: 'create',
      sideEffect: true,
      schema: make(notes),
    });
    await controller.fetch(create);
    declare();
    await expect(controller.fetch(create)).rejects.toEqual(refusal);
    expect(() => controller.setResponse(create, {} as never)).toThrow(refusal);
    expect(sent).toBe(1);
    expect(controller.get(getNotes.schema, {})).toHaveLength(1);
  });

  it('is refused by the snapshot of an optimistic function', async () => {
    const { notes, declare } = world;
    new Controller().get(notes, {});
    declare();
    const reports: unknown[] = [];
    const update = new Endpoint(async () => null, {
      name: 'update',
      sideEffect: true,
      schema: Note,
      getOptimisticResponse: (snapshot) => snapshot.get(notes, {})?.[0],
    });
    const controller = new Controller({
      environment: { report: (error) => reports.push(error) },
    });
    await controller.fetch(update);
    expect(reports).toEqual([refusal]);
  });

  it('does not make a request under way fail, whose list was settled when it began', async () => {
    const { controller, notes, getNotes, declare } = world;
    let respond: (value: unknown) => void = () => {};
    const load = new Endpoint(() => new Promise((resolve) => (respond = resolve)), {
      name: 'import',
      sideEffect: true,
      schema: notes,
    });
    const loading = controller.fetch(load);
    await flush();
    declare();
    respond([{ id: '2', text: 'imported' }]);
    await loading;
    expect(controller.get(getNotes.schema, {})).toMatchObject([{ text: 'imported' }]);
  });

  it('goes on to notify its existing observers', () => {
    const { controller, notes, getNotes, declare } = world;
    const view = controller.observeQuery(notes, {});
    const notified = listen(view);
    view.getSnapshot();
    declare();
    controller.set(getNotes.schema.push, {}, { id: '2', text: 'second' });
    expect(notified.count).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ data: [{ id: '1' }, { id: '2' }] });
  });
});

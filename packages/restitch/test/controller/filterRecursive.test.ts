/** Filters by class, for endpoints whose schema holds itself. */
import { Controller, countRequests, Endpoint, Entity, expireWhere, serial } from 'restitch';
import { expect, it } from 'vitest';

class User extends Entity {
  id = '';
  static override readonly key = 'FilterRecursiveUser';
}

class Other extends Entity {
  id = '';
  static override readonly key = 'FilterRecursiveOther';
}

/** A tree of plain objects, each with a user. */
const tree: Record<string, unknown> = {};
Object.assign(tree, { children: [tree], owner: User });

it('a schema that holds itself is searched for the class of a filter', async () => {
  const controller = new Controller();
  let requests = 0;
  const get = new Endpoint(
    async (): Promise<unknown> => {
      requests += 1;
      return { owner: { id: '1' }, children: [] };
    },
    { name: 'getTree', schema: tree },
  );
  const fetching = controller.fetch(get);
  expect(countRequests(controller, { entity: User })).toBe(1);
  expect(countRequests(controller, { entity: Other })).toBe(0);
  await fetching;
  const view = controller.observe(get);
  await expireWhere(controller, { entity: Other });
  expect(view.needsLoad()).toBe(false);
  await expireWhere(controller, { entity: User });
  expect(view.needsLoad()).toBe(true);
  expect(requests).toBe(1);
});

it('a mutation with such a schema has a lane', async () => {
  const controller = new Controller();
  const save = serial(
    new Endpoint(async ({ id }: { id: string }): Promise<unknown> => ({ owner: { id } }), {
      name: 'saveTree',
      schema: tree,
      sideEffect: true,
    }),
  );
  await expect(controller.fetch(save, { id: '1' })).resolves.toMatchObject({ owner: { id: '1' } });
});

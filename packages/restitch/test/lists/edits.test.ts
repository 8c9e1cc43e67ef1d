import { Collection, Controller, Endpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Issue } from '../store/entities.js';

const issues = new Collection([Issue]);

/** Lists by status over fixed rows, and mutations that respond with their arguments. */
async function openWorld(collection: Collection<(typeof Issue)[]> = issues) {
  const controller = new Controller();
  const rows = [
    { id: 1, status: 'open', author: { id: 'a' } },
    { id: 2, status: 'open', author: { id: 'b' } },
    { id: 3, status: 'done', author: { id: 'a' } },
  ];
  const getIssues = new Endpoint(
    async (params: { status?: string; author?: string; sort?: string }): Promise<unknown> =>
      rows.filter(
        ({ status, author }) =>
          (params.status ?? status) === status && (params.author ?? author.id) === author.id,
      ),
    { name: 'getIssues', schema: collection },
  );
  const mutation = (schema: unknown) =>
    new Endpoint(async (...args: object[]): Promise<unknown> => Object.assign({}, ...args), {
      name: 'mutation',
      schema,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, ...args: object[]) => Object.assign({}, ...args),
    });
  const ids = (params: object) =>
    controller.getResponse(getIssues, params)?.map(({ id }) => Number(id));
  for (const params of [
    {},
    { status: 'open' },
    { status: 'done' },
    { status: 'done', author: 'a' },
  ]) {
    await controller.fetch(getIssues, params);
  }
  return { controller, getIssues, mutation, ids };
}

describe('push and unshift', () => {
  it('change every list that the new member matches, as text, and no other', async () => {
    const { controller, mutation, ids } = await openWorld();
    await controller.fetch(mutation(issues.push), { id: 9, status: 'done', author: { id: 'b' } });
    expect(ids({})).toEqual([1, 2, 3, 9]);
    expect(ids({ status: 'done' })).toEqual([3, 9]);
    expect(ids({ status: 'done', author: 'a' })).toEqual([3]);
    await controller.fetch(mutation(issues.unshift), { id: 8, status: 'open' });
    expect(ids({ status: 'open' })).toEqual([8, 1, 2]);
  });

  it('match by the parameters of the call where the response says nothing', async () => {
    const { controller, mutation, ids } = await openWorld();
    const push = mutation(issues.push).extend({ fetch: async () => ({ id: 9 }) });
    await controller.fetch(push, { status: 'done' }, { title: 'new' });
    expect(ids({ status: 'done' })).toEqual([3, 9]);
    expect(ids({ status: 'open' })).toEqual([1, 2]);
  });

  it('take several members at once, and move none that is there', async () => {
    const { controller, mutation, ids } = await openWorld();
    const push = mutation(issues.push).extend({
      fetch: async () => [
        { id: 1, status: 'open' },
        { id: 7, status: 'open' },
      ],
      getOptimisticResponse: undefined,
    });
    await controller.fetch(push);
    expect(ids({ status: 'open' })).toEqual([1, 2, 7]);
  });

  it('pass over arguments that do not filter', async () => {
    const sorted = new Collection([Issue], { nonFilterArgumentKeys: /^so/g });
    const { controller, getIssues, mutation } = await openWorld(sorted);
    for (const sort of ['title', 'date']) {
      await controller.fetch(getIssues, { sort });
    }
    await controller.fetch(mutation(sorted.push), { id: 9, status: 'open' });
    for (const sort of ['title', 'date']) {
      expect(controller.getResponse(getIssues, { sort })).toHaveLength(4);
    }
  });

  it('follow the collection where it has a rule of its own', async () => {
    const own = new Collection([Issue], {
      createCollectionFilter: () => (args) => args['status'] === 'done',
    });
    const { controller, mutation, ids } = await openWorld(own);
    await controller.fetch(mutation(own.push), { id: 9, status: 'open' });
    expect(ids({ status: 'done' })).toEqual([3, 9]);
    expect(ids({ status: 'open' })).toEqual([1, 2]);
  });
});

describe('move', () => {
  it('takes a row out of the lists that it contradicts and into those that it matches, at once', async () => {
    const { controller, mutation, ids } = await openWorld();
    const moved = controller.fetch(mutation(issues.move), { id: 1 }, { status: 'done' });
    expect(ids({ status: 'open' })).toEqual([2]);
    expect(ids({ status: 'done' })).toEqual([3, 1]);
    expect(ids({ status: 'done', author: 'a' })).toEqual([3, 1]);
    await moved;
    expect(ids({})).toEqual([1, 2, 3]);
    expect(ids({ status: 'open' })).toEqual([2]);
    expect(controller.get(Issue, { id: 1 })?.status).toBe('done');
  });

  it('that fails leaves every list as it was', async () => {
    const { controller, mutation, ids } = await openWorld();
    const move = mutation(issues.move).extend({
      fetch: async () => {
        throw new Error('no');
      },
    });
    await controller.fetch(move, { id: 1 }, { status: 'done' }).catch(() => {});
    expect(ids({ status: 'open' })).toEqual([1, 2]);
    expect(ids({ status: 'done' })).toEqual([3]);
  });
});

describe('remove', () => {
  it('takes a member out of the lists that the call names, and updates the record', async () => {
    const { controller, mutation, ids } = await openWorld();
    const remove = mutation(issues.remove).extend({
      fetch: async () => ({ id: 1, title: 'Unlisted' }),
      getOptimisticResponse: undefined,
    });
    await controller.fetch(remove, { status: 'open' });
    expect(ids({ status: 'open' })).toEqual([2]);
    expect(controller.get(Issue, { id: 1 })?.title).toBe('Unlisted');
  });

  it('leaves the list of all records as it is', async () => {
    const { controller, mutation, ids } = await openWorld();
    const remove = mutation(issues.remove).extend({
      fetch: async () => ({ id: 1, title: 'Unlisted' }),
      getOptimisticResponse: undefined,
    });
    await controller.fetch(remove, { status: 'open' }, { id: 1 });
    expect([ids({ status: 'open' }), ids({})]).toEqual([[2], [1, 2, 3]]);
  });
});

describe('lists nested in records', () => {
  it('are the top-level list of the same arguments', async () => {
    const nested = new Collection([Issue], {
      nestKey: (parent: { id: string }) => ({ author: parent.id }),
    });
    class Author extends Issue {
      issues: Issue[] = [];
      static override key = 'Author';
      static override schema = { ...Issue.schema, issues: nested };
    }
    const controller = new Controller();
    const issue = {
      id: 1,
      title: 'one',
      status: 'open',
      author: { id: 'u' },
      openedAt: new Date(0).toJSON(),
    };
    const getAuthor = new Endpoint(async (): Promise<unknown> => ({ id: 'a', issues: [issue] }), {
      name: 'getAuthor',
      schema: Author,
    });
    const getIssues = new Endpoint(async (_: { author: string }) => [{ id: 1 }], {
      name: 'getIssues',
      schema: nested,
    });
    const author = await controller.fetch(getAuthor);
    expect(controller.getResponse(getIssues, { author: 'a' })).toBe(author.issues);
    const push = new Endpoint(async (body: object) => body, {
      name: 'push',
      schema: nested.push,
      sideEffect: true,
    });
    await controller.fetch(push, { ...issue, id: 2, author: { id: 'a' } });
    const after = controller.getResponse(getIssues, { author: 'a' });
    expect(after).toHaveLength(2);
    expect(controller.getResponse(getAuthor)?.issues).toBe(after);
  });
});

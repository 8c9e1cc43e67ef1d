import { Collection, Controller, Endpoint, NetworkError } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Issue } from './entities.js';

const issues = new Collection([Issue]);

/** Endpoints whose responses the test gives by hand, in whatever order. */
function openWorld() {
  const controller = new Controller();
  const waiting: {
    name: string;
    respond: (value: unknown) => void;
    fail: (error: Error) => void;
  }[] = [];
  const ask = (name: string): Promise<unknown> =>
    new Promise((respond, fail) => waiting.push({ name, respond, fail }));
  const errorPolicy = () => 'soft' as const;
  const getIssues = new Endpoint(() => ask('getIssues'), {
    name: 'getIssues',
    schema: issues,
    errorPolicy,
  });
  const patchIssue = new Endpoint((_: object) => ask('patchIssue'), {
    name: 'patchIssue',
    schema: Issue,
    sideEffect: true,
  });
  /** The requests under way, oldest first. */
  const take = (name: string) => {
    const index = waiting.findIndex((request) => request.name === name);
    const [request] = waiting.splice(index, 1);
    if (index < 0 || !request) throw new Error(`no test asked for ${name}`);
    return request;
  };
  const counts = { getIssues: () => waiting.filter(({ name }) => name === 'getIssues').length };
  return { controller, getIssues, patchIssue, take, counts };
}

const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a result that was expired', () => {
  it('is asked for again although the refetch before failed softly', async () => {
    const { controller, getIssues, take, counts } = openWorld();
    const view = controller.observe(getIssues);
    // What a mounted reader does.
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    void view.load();
    take('getIssues').respond([{ id: 1 }]);
    await flush();
    controller.expireAll(getIssues);
    take('getIssues').fail(new NetworkError(new Response('', { status: 503 })));
    await flush();
    expect(view.getSnapshot().status).toBe('ready');
    expect(counts.getIssues()).toBe(0);
    controller.expireAll(getIssues);
    expect(counts.getIssues()).toBe(1);
  });

  it('is not satisfied by a request that began before', async () => {
    const { controller, getIssues, take, counts } = openWorld();
    const view = controller.observe(getIssues);
    const promise = view.load();
    const early = take('getIssues');
    const invalidated = controller.invalidate(getIssues);
    expect(counts.getIssues()).toBe(1);
    early.respond([{ id: 1 }]);
    await flush();
    expect(promise.status).toBe('pending');
    expect(view.getSnapshot().status).toBe('pending');
    take('getIssues').respond([{ id: 1 }, { id: 2 }]);
    await invalidated;
    await expect(promise).resolves.toHaveLength(2);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
  });
});

describe('mutations of one row whose responses arrive out of order', () => {
  it('are followed by a refetch, also when one that began too early is under way', async () => {
    const { controller, getIssues, patchIssue, take, counts } = openWorld();
    const view = controller.observe(getIssues);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    void view.load();
    take('getIssues').respond([{ id: 1, title: 'start' }]);
    await flush();
    const first = controller.fetch(patchIssue, { id: 1, title: 'A' });
    const second = controller.fetch(patchIssue, { id: 1, title: 'B' });
    const early = take('patchIssue');
    take('patchIssue').respond({ id: 1, title: 'B' });
    await second;
    controller.expireAll(getIssues);
    const tooEarly = take('getIssues');
    early.respond({ id: 1, title: 'A' });
    await first;
    expect(counts.getIssues()).toBe(1);
    tooEarly.respond([{ id: 1, title: 'B' }]);
    take('getIssues').respond([{ id: 1, title: 'A' }]);
    await flush();
    expect(controller.get(Issue, { id: 1 })?.title).toBe('A');
    expect(counts.getIssues()).toBe(0);
  });
});

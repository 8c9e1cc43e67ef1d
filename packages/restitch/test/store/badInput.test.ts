import {
  Collection,
  Controller,
  NetworkError,
  RestEndpoint,
  SchemaError,
  type View,
} from 'restitch';
import { afterEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { dataOf } from '../support/world.js';
import { Issue } from './entities.js';

const issues = new Collection([Issue]);

const server = await serverOfFile();
afterEach(() => server.respond((request) => request));

/** A controller that holds one issue, and everything that shows it. */
async function openWorld() {
  const urlPrefix = server.origin;
  const controller = new Controller();
  const getIssue = new RestEndpoint({ urlPrefix, path: '/issues/:id', schema: Issue });
  const getIssues = new RestEndpoint({ urlPrefix, path: '/issues', schema: issues });
  const patchIssue = getIssue.extend({
    method: 'PATCH',
    body: {} as { title: string },
    getOptimisticResponse: (_: unknown, params: { id: string | number }, body: object) => ({
      ...params,
      ...body,
    }),
  });
  server.respond(() => [{ id: 1, title: 'First', author: { id: 'a', name: 'Ann' } }]);
  await controller.fetch(getIssues);
  const before = controller.get(Issue, { id: 1 });
  return { controller, getIssue, getIssues, patchIssue, before };
}

const errorOf = (view: View<unknown>): unknown => {
  const snapshot = view.getSnapshot();
  return snapshot.status === 'error' ? snapshot.error : undefined;
};

describe('a response that cannot be used', () => {
  it('that is HTML where records are expected rejects with status, content type and the start of the body', async () => {
    const { controller, getIssue, before } = await openWorld();
    server.raw(200, 'text/html', '<!doctype html><title>Sign in</title>');
    const failure = controller.fetch(getIssue, { id: 2 });
    await expect(failure).rejects.toBeInstanceOf(NetworkError);
    await expect(failure).rejects.toThrow(/text\/html/);
    await expect(failure).rejects.toThrow(/<!doctype html>/);
    expect(errorOf(controller.observe(getIssue, { id: 2 }))).toBe(
      await failure.catch((e: unknown) => e),
    );
    expect(controller.get(Issue, { id: 1 })).toBe(before);
    expect(controller.get(Issue, { id: 2 })).toBeUndefined();
  });

  it('that claims to be JSON and is not rejects with status 400 and a sample', async () => {
    const { controller, getIssue, before } = await openWorld();
    server.raw(200, 'application/json', '<html>oops');
    const failure = controller.fetch(getIssue, { id: 1 });
    await expect(failure).rejects.toMatchObject({ status: 400 });
    await expect(failure).rejects.toThrow(/<html>oops/);
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  it('with status 500 and HTML rejects with a NetworkError and keeps the data of readers', async () => {
    const { controller, getIssues, before } = await openWorld();
    const view = controller.observe(getIssues);
    const [current, data] = [view.getSnapshot(), dataOf(view)];
    server.raw(500, 'text/html', '<h1>Internal error</h1>');
    await expect(controller.fetch(getIssues)).rejects.toMatchObject({
      name: 'NetworkError',
      status: 500,
    });
    const error: unknown = expect.objectContaining({ name: 'NetworkError' });
    expect(view.getSnapshot()).toEqual({ ...current, error });
    expect(dataOf(view)).toBe(data);
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  it.each([
    [
      'a record without a primary key',
      [{ title: 'No id' }],
      'missing-primary-key',
      /Issue.*No id.*pk\(\)/s,
    ],
    ['a record with an empty primary key', [{ id: '' }], 'missing-primary-key', /Issue/],
    ['a number where a record is expected', [[7]], 'unexpected-shape', /record of Issue/],
    ['an object where a list is expected', { error: 'no' }, 'unexpected-shape', /array.*"no"/s],
  ])('%s names the entity, a sample and the fix', async (_, response, code, message) => {
    const { controller, getIssues, before } = await openWorld();
    server.respond(() => response);
    const failure = controller.fetch(getIssues);
    await expect(failure).rejects.toBeInstanceOf(SchemaError);
    await expect(failure).rejects.toMatchObject({ code, status: 400 });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toThrow(getIssues.name);
    expect(errorOf(controller.observe(getIssues))).toBe(await failure.catch((e: unknown) => e));
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  it('stores none of its good records along with a bad one', async () => {
    const { controller, getIssues } = await openWorld();
    server.respond(() => [{ id: 5, title: 'Fine' }, { title: 'No id' }]);
    await expect(controller.fetch(getIssues)).rejects.toBeInstanceOf(SchemaError);
    expect(controller.get(Issue, { id: 5 })).toBeUndefined();
    expect(controller.get(issues)?.map(({ id }) => id)).toEqual([1]);
  });

  it('refused by validate says so, and nothing is stored', async () => {
    class Strict extends Issue {
      static override key = 'Strict';
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return typeof value['title'] === 'string' ? undefined : 'title is missing';
      }
    }
    const controller = new Controller();
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/strict/:id', schema: Strict });
    server.respond(() => ({ id: 1 }));
    await expect(controller.fetch(get, { id: 1 })).rejects.toThrow(/Strict '1'.*title is missing/);
    expect(controller.get(Strict, { id: 1 })).toBeUndefined();
  });

  it('leaves every row as it was when its merge throws', async () => {
    class Fragile extends Issue {
      static override key = 'Fragile';
      static override merge(existing: object, incoming: object): Record<string, unknown> {
        if ('bad' in incoming) throw new Error('cannot merge');
        return { ...existing, ...incoming };
      }
    }
    const controller = new Controller();
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/fragile', schema: [Fragile] });
    server.respond(() => [
      { id: 1, title: 'One' },
      { id: 2, title: 'Two' },
    ]);
    await controller.fetch(get);
    const before = [controller.get(Fragile, { id: 1 }), controller.get(Fragile, { id: 2 })];
    server.respond(() => [{ id: 1, title: 'Changed' }, { id: 2, bad: true }, { id: 3 }]);
    await expect(controller.fetch(get)).rejects.toThrow('cannot merge');
    expect(controller.get(Fragile, { id: 1 })).toBe(before[0]);
    expect(controller.get(Fragile, { id: 2 })).toBe(before[1]);
    expect(controller.get(Fragile, { id: 3 })).toBeUndefined();
  });
});

describe('a request without a response', () => {
  it('because the network is down rejects with the platform error, and readers keep their data', async () => {
    const { controller, getIssues, before } = await openWorld();
    const view = controller.observe(getIssues);
    const [current, data] = [view.getSnapshot(), dataOf(view)];
    server.respond((_, response) => void response.destroy());
    await expect(controller.fetch(getIssues)).rejects.toBeInstanceOf(TypeError);
    const error: unknown = expect.objectContaining({ name: 'TypeError' });
    expect(view.getSnapshot()).toEqual({ ...current, error });
    expect(dataOf(view)).toBe(data);
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  it('because no server listens shows its error where there is no data', async () => {
    const controller = new Controller();
    const get = new RestEndpoint({
      urlPrefix: 'http://127.0.0.1:1',
      path: '/x/:id',
      schema: Issue,
    });
    await expect(controller.fetch(get, { id: 1 })).rejects.toBeInstanceOf(TypeError);
    expect(errorOf(controller.observe(get, { id: 1 }))).toBeInstanceOf(TypeError);
  });

  it('because it was aborted rejects with AbortError, and readers keep their data', async () => {
    const { controller, getIssues, before } = await openWorld();
    const view = controller.observe(getIssues);
    const current = view.getSnapshot();
    const abort = new AbortController();
    server.respond(() => undefined);
    const failure = controller.fetch(getIssues.extend({ signal: abort.signal }));
    abort.abort();
    await expect(failure).rejects.toMatchObject({ name: 'AbortError' });
    expect(view.getSnapshot()).toBe(current);
    expect(controller.get(Issue, { id: 1 })).toBe(before);
  });

  it('removes its optimistic update without a trace', async () => {
    const { controller, patchIssue, before } = await openWorld();
    server.raw(500, 'text/plain', 'no');
    const failure = controller.fetch(patchIssue, { id: 1 }, { title: 'optimistic' });
    expect(controller.get(Issue, { id: 1 })?.title).toBe('optimistic');
    await expect(failure).rejects.toBeInstanceOf(NetworkError);
    expect(controller.get(Issue, { id: 1 })).toEqual(before);
  });

  it('because an argument is missing rejects before anything is sent', async () => {
    const { controller, getIssue } = await openWorld();
    const sent = server.seen.length;
    await expect(controller.fetch(getIssue, { id: '' })).rejects.toBeInstanceOf(TypeError);
    expect(server.seen.length).toBe(sent);
  });
});

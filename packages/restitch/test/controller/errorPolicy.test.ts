/** The table of failures in docs/guide/error-handling.md: what each leaves of data that was there. */
import type { ServerResponse } from 'node:http';
import { Controller, Entity, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
  name = '';
  static override key = 'PolicyUser';
  static override validate({ name }: Readonly<Record<string, unknown>>): string | undefined {
    return name === 'refused' ? 'refused' : undefined;
  }
}

const ada = { id: '1', name: 'Ada' };

/** Reads a user, and again from a server that responds otherwise. */
async function refresh(second: (response: ServerResponse) => unknown, options: object = {}) {
  const controller = new Controller({ onError() {} });
  // The cast: the options differ from case to case.
  const endpoint = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/users/:id',
    schema: User,
    ...options,
  }) as unknown as RestEndpoint;
  server.respond(() => ada);
  await controller.fetch(endpoint, { id: '1' });
  server.respond((_, response) => second(response));
  await expect(controller.fetch(endpoint, { id: '1' })).rejects.toBeDefined();
  const { status: current } = controller.observe(endpoint, { id: '1' }).getSnapshot();
  return {
    data: current === 'ready' ? 'kept' : current,
    error: controller.getError(endpoint, { id: '1' })?.name,
  };
}

const status = (code: number) => (response: ServerResponse) => {
  response.writeHead(code).end();
};
const neverRespond = (): undefined => undefined;

describe('a refresh that fails', () => {
  it.each<[string, object, (response: ServerResponse) => unknown, object?]>([
    ['status 500', { data: 'kept', error: 'NetworkError' }, status(500)],
    ['status 503', { data: 'kept', error: 'NetworkError' }, status(503)],
    ['status 404', { data: 'error', error: 'NetworkError' }, status(404)],
    [
      'a lost connection',
      { data: 'kept', error: 'TypeError' },
      ({ socket }) => socket?.destroy() && undefined,
    ],
    ['a time-out', { data: 'kept', error: 'TimeoutError' }, neverRespond, { timeout: 150 }],
    [
      'a time-out while the body comes',
      { data: 'kept', error: 'TimeoutError' },
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      },
      { timeout: 150 },
    ],
    [
      'a row that validate refuses',
      { data: 'error', error: 'SchemaError' },
      () => ({ ...ada, name: 'refused' }),
    ],
    [
      'a mistake in process',
      { data: 'error', error: 'TypeError' },
      () => ({ ...ada, name: 'unexpected' }),
      {
        process(user: { name: string }) {
          if (user.name !== 'Ada') throw new TypeError('mistake');
          return user;
        },
      },
    ],
  ])('by %s leaves data and error as %j', async (_, expected, second, options) => {
    expect(await refresh(second, options)).toEqual(expected);
  });

  it('by an abort of its caller leaves the data, and no error', async () => {
    const stop = new AbortController();
    const abort = (): undefined => stop.abort() as undefined;
    expect(await refresh(abort, { signal: stop.signal })).toEqual({
      data: 'kept',
      error: undefined,
    });
  });

  it('by a signal of AbortSignal.timeout leaves the data, and no error: its caller withdrew', async () => {
    expect(await refresh(neverRespond, { signal: () => AbortSignal.timeout(150) })).toEqual({
      data: 'kept',
      error: undefined,
    });
  });
});

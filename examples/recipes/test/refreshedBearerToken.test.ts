import { NetworkError, type RestGenerics } from 'restitch';
import { expect, it, vi } from 'vitest';
import { RefreshingEndpoint, Session } from '../src/refreshedBearerToken.js';
import { failureOf, type Seen, startServer } from './support/server.js';

/** A server that accepts one token at a time, and a session that gets the tokens `t1`, `t2`, … */
async function signIn() {
  const state = { accepted: 't1', requested: 0 };
  let gate: Promise<unknown> = Promise.resolve();
  const server = await startServer(async (request) => {
    await gate;
    return isAccepted(request, state.accepted)
      ? { body: { token: request.headers.authorization } }
      : { status: 401, body: { error: 'expired' } };
  });
  const session = new Session(async () => `t${(state.requested += 1)}`);
  class Api<O extends RestGenerics = any> extends RefreshingEndpoint<O> {
    override urlPrefix = server.origin;
    override readonly session = session;
  }
  const holdUntil = (next: Promise<unknown>): void => {
    gate = next;
  };
  return { server, state, session, Api, holdUntil };
}

const isAccepted = ({ headers }: Seen, token: string): boolean =>
  headers.authorization === `Bearer ${token}`;

it('gets a token once and sends it with every request', async () => {
  const { server, state, Api } = await signIn();
  const get = new Api({ path: '/items/:id' });
  await Promise.all([get({ id: 1 }), get({ id: 2 })]);
  await get({ id: 3 });
  expect(state.requested).toBe(1);
  expect(server.seen).toHaveLength(3);
});

it('renews the token once after a 401, sends the request again with its body, and goes on with it', async () => {
  const { server, state, Api } = await signIn();
  const post = new Api({ path: '/items', body: {} as { name: string } });
  await post({ name: 'a' });
  state.accepted = 't2';
  expect(await post({ name: 'b' })).toEqual({ token: 'Bearer t2' });
  await post({ name: 'c' });
  expect(state.requested).toBe(2);
  expect(server.bodies()).toEqual(['a', 'b', 'b', 'c'].map((name) => ({ name })));
});

it('shares one renewal among requests that fail together', async () => {
  const { server, state, Api } = await signIn();
  const get = new Api({ path: '/items/:id' });
  await get({ id: 0 });
  state.accepted = 't2';
  const results = await Promise.all([1, 2, 3, 4, 5].map((id) => get({ id })));
  expect(results).toEqual(Array(5).fill({ token: 'Bearer t2' }));
  expect(state.requested).toBe(2);
  expect(server.seen).toHaveLength(1 + 5 + 5);
});

it('shares one renewal between calls in the same moment', async () => {
  const { state, session } = await signIn();
  await session.token();
  const tokens = await Promise.all([session.renew('t1'), session.renew('t1')]);
  expect([tokens, state.requested]).toEqual([['t2', 't2'], 2]);
});

it('does not renew for a 401 that arrives after the renewal', async () => {
  const { state, session, Api, holdUntil } = await signIn();
  const get = new Api({ path: '/items' });
  await get();
  state.accepted = 't2';
  const { promise, release } = gate();
  holdUntil(promise);
  const late = get();
  await session.renew('t1');
  release();
  expect(await late).toEqual({ token: 'Bearer t2' });
  expect(state.requested).toBe(2);
});

it('rejects with the second 401', async () => {
  const { server, state, Api } = await signIn();
  state.accepted = 'none';
  const error = await failureOf(new Api({ path: '/items' })());
  if (!(error instanceof NetworkError)) throw error;
  expect([error.status, state.requested, server.seen.length]).toEqual([401, 2, 2]);
});

it('leaves other failures alone', async () => {
  const server = await startServer(() => ({ status: 403 }));
  let requested = 0;
  const session = new Session(async () => `t${(requested += 1)}`);
  const get = new RefreshingEndpoint({ urlPrefix: server.origin, path: '/items', session });
  expect(await failureOf(get())).toMatchObject({ status: 403 });
  expect([requested, server.seen.length]).toEqual([1, 1]);
});

it('rejects all who wait when the renewal fails, and tries again with the next request', async () => {
  const server = await startServer((request) =>
    isAccepted(request, 't3') ? { body: 'ok' } : { status: 401 },
  );
  const { promise, release } = gate();
  let requested = 0;
  const session = new Session(async () => {
    requested += 1;
    if (requested !== 2) return `t${requested}`;
    await promise;
    throw new Error('signed out');
  });
  const renew = vi.spyOn(session, 'renew');
  const get = new RefreshingEndpoint({ urlPrefix: server.origin, path: '/items/:id', session });
  const failures = [1, 2, 3].map((id) => failureOf(get({ id })));
  await vi.waitFor(() => expect(renew).toHaveBeenCalledTimes(3));
  release();
  expect((await Promise.all(failures)).map(String)).toEqual(Array(3).fill('Error: signed out'));
  expect(await get({ id: 4 })).toBe('ok');
  expect(requested).toBe(3);
});

function gate() {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

/** A token never outlives its user: neither in a request, nor in a renewal that is under way. */
import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RefreshingEndpoint, Session } from '../src/refreshedBearerToken.js';
import { failureOf, startServer } from './support/server.js';

/** A promise that the test settles. */
function gate<T = void>() {
  let open = (_: T): void => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A server that knows which tokens are accepted now, and responds with the user of the request. */
async function openApi(askForToken: (signal: AbortSignal) => Promise<string>) {
  const accepted = new Map<string, string>();
  const held: Promise<unknown>[] = [];
  const server = await startServer(async ({ headers }) => {
    const user = accepted.get(headers.authorization ?? '');
    await held.shift();
    return user === undefined ? { status: 401, body: { error: 'expired' } } : { body: { user } };
  });
  const session = new Session(askForToken);
  class Api<O extends RestGenerics = any> extends RefreshingEndpoint<O> {
    override urlPrefix = server.origin;
    override readonly session = session;
  }
  const accept = (token: string, user: string): void => void accepted.set(`Bearer ${token}`, user);
  const sent = (): (string | undefined)[] =>
    server.seen.map(({ headers }) => headers.authorization);
  return { server, session, Api, accept, sent, held, refuse: () => accepted.clear() };
}

const noRequest = async (): Promise<string> => expect.fail('a token was requested');
const isAbort = { name: 'AbortError' };

describe('session.start', () => {
  it('gives the token of the sign-in to the next request, and requests none', async () => {
    const { session, Api, accept, sent } = await openApi(noRequest);
    accept('ada-1', 'ada');
    session.start('ada-1');
    expect(await new Api({ path: '/me' })()).toEqual({ user: 'ada' });
    expect(sent()).toEqual(['Bearer ada-1']);
  });

  it('for another user replaces the token at once, without an end before it', async () => {
    const { session, Api, accept, sent } = await openApi(noRequest);
    accept('ada-1', 'ada');
    accept('bob-1', 'bob');
    session.start('ada-1');
    await new Api({ path: '/me' })();
    session.start('bob-1');
    expect(await new Api({ path: '/me' })()).toEqual({ user: 'bob' });
    expect(sent()).toEqual(['Bearer ada-1', 'Bearer bob-1']);
  });
});

describe('session.end', () => {
  it('lets no request out until the next sign-in, and requests no token', async () => {
    const { session, Api, accept, sent, server } = await openApi(noRequest);
    accept('ada-1', 'ada');
    session.start('ada-1');
    const get = new Api({ path: '/me' });
    await get();
    session.end();
    expect(await failureOf(get())).toMatchObject(isAbort);
    expect(server.seen).toHaveLength(1);
    accept('bob-1', 'bob');
    session.start('bob-1');
    expect(await get()).toEqual({ user: 'bob' });
    expect(sent()).toEqual(['Bearer ada-1', 'Bearer bob-1']);
  });

  it('aborts the requests under way', async () => {
    const { session, Api, accept, held, server } = await openApi(noRequest);
    accept('ada-1', 'ada');
    session.start('ada-1');
    const { promise, open } = gate();
    onTestFinished(() => open());
    held.push(promise);
    const call = failureOf(new Api({ path: '/me' })());
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    session.end();
    expect(await call).toMatchObject(isAbort);
  });

  it('aborts the request for a token', async () => {
    const requested = gate<AbortSignal>();
    const { session, Api } = await openApi((signal) => {
      requested.open(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    const call = failureOf(new Api({ path: '/me' })());
    const signal = await requested.promise;
    session.end();
    expect(signal.aborted).toBe(true);
    expect(await call).toMatchObject(isAbort);
  });
});

describe('after a sign-out and the sign-in of another user', () => {
  it('a first token that arrives after the sign-out is never sent', async () => {
    const late = gate<string>();
    const { session, Api, accept, sent } = await openApi(() => late.promise);
    const waiting = failureOf(new Api({ path: '/me' })());
    session.end();
    accept('bob-1', 'bob');
    session.start('bob-1');
    late.open('ada-1');
    expect(await waiting).toMatchObject(isAbort);
    expect(await new Api({ path: '/me' })()).toEqual({ user: 'bob' });
    expect(sent()).toEqual(['Bearer bob-1']);
  });

  it('a renewal that was under way is never sent, and replaces no newer token', async () => {
    const late = gate<string>();
    const requested = vi.fn(() => late.promise);
    const { session, Api, accept, sent } = await openApi(requested);
    session.start('ada-1');
    const waiting = failureOf(new Api({ path: '/me' })());
    await vi.waitFor(() => expect(requested).toHaveBeenCalled());
    session.end();
    accept('bob-1', 'bob');
    session.start('bob-1');
    late.open('ada-2');
    expect(await waiting).toMatchObject(isAbort);
    expect(await new Api({ path: '/me' })()).toEqual({ user: 'bob' });
    expect(sent()).toEqual(['Bearer ada-1', 'Bearer bob-1']);
  });

  it('a request of the last user that is refused after the change is not sent with the new token', async () => {
    const { session, Api, accept, held, sent, server } = await openApi(noRequest);
    session.start('ada-1');
    const { promise, open } = gate();
    held.push(promise);
    const change = new Api({ path: '/me', body: {} as { name: string } });
    const waiting = failureOf(change({ name: 'Ada' }));
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    accept('bob-1', 'bob');
    session.start('bob-1');
    open();
    expect(await waiting).toMatchObject(isAbort);
    expect(await new Api({ path: '/me' })()).toEqual({ user: 'bob' });
    expect(sent()).toEqual(['Bearer ada-1', 'Bearer bob-1']);
  });

  it('a request of the last user that waits for a retry is not sent for the new one', async () => {
    const server = await startServer(({ headers }) =>
      headers.authorization === 'Bearer bob-1' ? { body: 'bob' } : { status: 503 },
    );
    const session = new Session(noRequest);
    const backoff = vi.fn(() => 1_000_000);
    const get = new RefreshingEndpoint({
      urlPrefix: server.origin,
      path: '/me',
      session,
      retry: { limit: 3, backoff },
    });
    session.start('ada-1');
    const waiting = failureOf(get());
    await vi.waitFor(() => expect(backoff).toHaveBeenCalled());
    session.start('bob-1');
    expect(await waiting).toMatchObject(isAbort);
    expect(server.seen).toHaveLength(1);
  });

  it('a request of the last user whose init is still being made is not sent', async () => {
    const { session, Api, accept, sent } = await openApi(noRequest);
    accept('bob-1', 'bob');
    session.start('ada-1');
    const headers = gate();
    const get = new Api({
      path: '/me',
      async getHeaders(given) {
        await headers.promise;
        return given;
      },
    });
    const waiting = failureOf(get());
    session.start('bob-1');
    headers.open();
    expect(await waiting).toMatchObject(isAbort);
    expect(sent()).toEqual([]);
  });
});

describe('a signal of the call', () => {
  it('still ends it, as that of the session does', async () => {
    const { session, Api, held, server } = await openApi(noRequest);
    session.start('ada-1');
    const { promise, open } = gate();
    onTestFinished(() => open());
    const get = new Api({ path: '/me' });
    const derived: readonly ((signal: AbortSignal) => () => Promise<unknown>)[] = [
      (signal) => get.extend({ signal }),
      (signal) => get.extend({ requestInit: { signal } }),
    ];
    for (const derive of derived) {
      held.push(promise);
      const controller = new AbortController();
      const sentBefore = server.seen.length;
      const call = failureOf(derive(controller.signal)());
      await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(sentBefore));
      controller.abort();
      expect(await call).toMatchObject(isAbort);
    }
  });
});

it('many requests that are refused with 401 share one renewal, later ones included', async () => {
  const state = { requested: 0 };
  const { session, Api, accept, refuse } = await openApi(
    async () => `ada-${(state.requested += 1)}`,
  );
  accept('ada-0', 'ada');
  session.start('ada-0');
  const get = new Api({ path: '/items/:id' });
  await get({ id: 0 });
  refuse();
  accept('ada-1', 'ada');
  const results = await Promise.all(Array.from({ length: 50 }, (_, id) => get({ id })));
  expect(results).toEqual(Array(50).fill({ user: 'ada' }));
  expect(state.requested).toBe(1);
});

it('a renewal that cannot reach the server is a failed connection: readers keep their data', async () => {
  const refresh = new RestEndpoint({
    urlPrefix: 'http://127.0.0.1:1',
    path: '/refresh',
    method: 'POST',
    process: ({ token }: { token: string }) => token,
  });
  const { session, Api } = await openApi((signal) => refresh.extend({ signal })());
  session.start('ada-1');
  const get = new Api({ path: '/me' });
  const error = await failureOf(get());
  expect(error).not.toBeInstanceOf(NetworkError);
  expect(get.errorPolicy(error)).toBe('soft');
});

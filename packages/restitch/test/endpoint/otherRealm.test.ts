/** Objects of another realm, as those of an iframe or of jsdom: no class of this realm has made them. */
import { runInNewContext } from 'node:vm';
import { Controller, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';

/** The part of `AbortController` that a request uses. */
interface Foreign {
  readonly signal: AbortSignal;
  readonly abort: () => void;
}

const foreignController = (): Foreign =>
  runInNewContext(`
    const listeners = [];
    const signal = { aborted: false, addEventListener: (_, listener) => listeners.push(listener) };
    const abort = () => {
      Object.assign(signal, { aborted: true, reason: new RangeError('left') });
      listeners.forEach((listener) => listener());
    };
    ({ signal, abort });
  `);

/** An endpoint whose request ends when its signal aborts. */
const open = (options: object) =>
  new RestEndpoint({
    path: '/users/:id',
    fetchResponse: (_: unknown, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    ...options,
  });

it.each([
  ['alone', {}],
  ['with a timeout', { timeout: 10_000 }],
  ['with another signal', { requestInit: { signal: new AbortController().signal } }],
])('a signal of another realm, %s, aborts the request', async (_, options) => {
  const { signal, abort } = foreignController();
  const call = open({ ...options, signal })({ id: 1 });
  await Promise.resolve();
  abort();
  await expect(call).rejects.toMatchObject({ name: 'RangeError', message: 'left' });
});

it('an error of another realm is stored as it is', async () => {
  // The cast: it is an error of another realm.
  const failure = runInNewContext(`new RangeError('refused')`) as Error;
  const get = new RestEndpoint({
    path: '/users/:id',
    fetchResponse: () => Promise.reject(failure),
  });
  const controller = new Controller();
  const view = controller.observe(get, { id: 1 });
  view.subscribe(() => {});
  await view.load().catch(() => {});
  expect(view.getSnapshot()).toMatchObject({ status: 'error', error: failure });
  expect(view.getSnapshot()).toHaveProperty('error.name', 'RangeError');
});

/** A request whose signal is aborted before it is sent is not sent: it would carry what the next user's headers say. */
import { Controller, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';

/** A request that waits at one of its steps until it is released. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const pass = async (): Promise<void> => {
    arrive();
    await opened;
  };
  return { pass, open, arrived };
}

let token = 'A';
function world(step: 'getHeaders' | 'getRequestInit' | 'fetchResponse', more: object = {}) {
  const { pass, open, arrived } = gate();
  const sent: string[] = [];
  const responses: string[] = [];
  class Api extends RestEndpoint {
    override async getHeaders(headers: HeadersInit) {
      if (step === 'getHeaders') await pass();
      return { ...headers, authorization: token };
    }
    override async getRequestInit(body: unknown) {
      if (step === 'getRequestInit') await pass();
      return super.getRequestInit(body);
    }
    override async fetchResponse(input: RequestInfo, init: RequestInit) {
      responses.push(step);
      if (step === 'fetchResponse') await pass();
      return super.fetchResponse(input, init);
    }
    override async send(_input: RequestInfo, init: RequestInit) {
      sent.push(new Headers(init.headers).get('authorization') ?? '');
      return Response.json({});
    }
  }
  token = 'A';
  const options = { urlPrefix: 'http://api.example', path: '/pay', method: 'POST', body: {} };
  const pay: RestEndpoint = new Api({ ...options, ...more } as never);
  return { pay, open, arrived, sent, responses };
}

describe('a request that was aborted before it is sent', () => {
  it.each(['getHeaders', 'getRequestInit', 'fetchResponse'] as const)(
    'by a reset during `%s` is not sent with the next token',
    async (step) => {
      const { pay, open, arrived, sent, responses } = world(step);
      const controller = new Controller({ onError() {} });
      const paid = controller.fetch(pay, { amount: 5 }).then(
        () => 'paid',
        (error: Error) => error.name,
      );
      await arrived;
      controller.resetEntireStore({ refetch: false });
      token = 'B';
      open();
      expect(await paid).toBe('AbortError');
      // Once more with the new token: what was released before has ended by then.
      await controller.fetch(pay, { amount: 1 });
      expect(sent).toEqual(['B']);
      expect(responses).toHaveLength(step === 'fetchResponse' ? 2 : 1);
    },
  );

  it('rejects with the reason of its signal', async () => {
    const { pay, open, arrived, sent } = world('getHeaders');
    const abort = new AbortController();
    const paid = pay.extend({ signal: abort.signal })({ amount: 5 }) as Promise<unknown>;
    await arrived;
    const reason = new Error('signed out');
    abort.abort(reason);
    open();
    await expect(paid).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it('is not sent again as a retry', async () => {
    const abort = new AbortController();
    const reason = new Error('signed out');
    const sent: string[] = [];
    const get = new RestEndpoint({
      urlPrefix: 'http://api.example',
      path: '/slow',
      signal: abort.signal,
      retry: {
        limit: 3,
        backoff() {
          abort.abort(reason);
          return 1;
        },
      },
      async send(url) {
        sent.push(url instanceof Request ? url.url : url);
        return new Response('', { status: 503 });
      },
    });
    await expect(get()).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });
});

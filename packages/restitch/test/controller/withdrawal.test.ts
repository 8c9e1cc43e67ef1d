import { Controller, Endpoint, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';

interface Call {
  readonly signal: AbortSignal;
  readonly resolve: (value: string) => void;
}

let names = 0;

/** An endpoint that the test responds to by hand. It ends with its signal only if it has to `obey`. */
// The return type is what the class infers from its options; naming it would repeat them.
function byHand({ obey = true }: { obey?: boolean } = {}) {
  const calls: Call[] = [];
  const getText = new Endpoint(
    function (this: { signal?: unknown }, _: { id: string }): Promise<string> {
      const signal = (this.signal as () => AbortSignal)();
      return new Promise((resolve, reject) => {
        calls.push({ signal, resolve });
        const abort = (): void => reject(signal.reason as Error);
        if (!obey) return;
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort);
      });
    },
    { name: `byHand${(names += 1)}` },
  );
  const controller = new Controller();
  return { calls, getText, controller, view: controller.observe(getText, { id: '1' }) };
}

describe('a reader that may withdraw', () => {
  it('aborts the request when no other reader wants it, and leaves no error behind', async () => {
    const { calls, view } = byHand();
    const mine = new AbortController();
    const promise = view.load(mine.signal);
    expect(view.load(mine.signal)).toBe(promise);
    mine.abort();
    expect(calls[0]?.signal.aborted).toBe(true);
    await expect(promise).rejects.toMatchObject({ name: 'AbortError' });
    expect(view.getSnapshot().status).toBe('pending');
    expect(view.needsLoad()).toBe(true);
  });

  it('counts once, however often it asks', () => {
    const { calls, view } = byHand();
    const [first, second] = [new AbortController(), new AbortController()];
    for (const { signal } of [first, first, second]) void view.load(signal);
    first.abort();
    expect(calls[0]?.signal.aborted).toBe(false);
    second.abort();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('leaves the request to a plain reader, to a caller, and to a reader that joined later', async () => {
    for (const other of ['reader', 'caller', 'cancelling'] as const) {
      const { calls, view, controller, getText } = byHand();
      const mine = new AbortController();
      void view.load(mine.signal);
      const waiting =
        other === 'caller'
          ? controller.fetch(getText, { id: '1' })
          : view.load(other === 'reader' ? undefined : new AbortController().signal);
      mine.abort();
      calls[0]?.resolve('there');
      await expect(waiting).resolves.toBe('there');
      expect(calls).toHaveLength(1);
    }
  });

  it('is not joined any more by who comes after, even if the endpoint ignores its signal', async () => {
    const { calls, view } = byHand({ obey: false });
    const mine = new AbortController();
    void view.load(mine.signal);
    mine.abort();
    const again = view.load();
    expect(calls).toHaveLength(2);
    calls[1]?.resolve('new');
    await expect(again).resolves.toBe('new');
    calls[0]?.resolve('old');
    await settle();
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: 'new' });
  });

  it('keeps the data there is when it withdraws from fetching it again', async () => {
    const { calls, view } = byHand();
    void view.load();
    calls[0]?.resolve('data');
    await settle();
    const mine = new AbortController();
    void view.load(mine.signal);
    mine.abort();
    await settle();
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: 'data' });
  });

  it('withdraws at once, and alone, when its signal was aborted before', async () => {
    const { calls, view } = byHand();
    const ended = view.load(AbortSignal.abort());
    const other = view.load();
    calls.at(-1)?.resolve('there');
    await expect(other).resolves.toBe('there');
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });
});

describe("the endpoint's own signal", () => {
  it('withdraws the reader that asked first, which shows the abort instead of loading forever', async () => {
    const { calls, getText, controller } = byHand();
    const own = new AbortController();
    const view = controller.observe(getText.extend({ signal: own.signal }), { id: '1' });
    const loading = view.load();
    own.abort();
    expect(calls[0]?.signal.aborted).toBe(true);
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { name: 'AbortError' } });
  });

  it('leaves the request to another reader, which gets its response', async () => {
    const { calls, getText, controller, view } = byHand();
    const own = new AbortController();
    void controller.observe(getText.extend({ signal: own.signal }), { id: '1' }).load();
    const other = view.load(new AbortController().signal);
    own.abort();
    calls[0]?.resolve('there');
    await expect(other).resolves.toBe('there');
    expect(calls).toHaveLength(1);
  });
});

describe('a view', () => {
  it('gives those who wait the very object that it shows', async () => {
    class Row extends Entity {
      id = '';
      static override key = 'Row';
    }
    const getRows = new Endpoint(async () => ({ rows: [{ id: '1' }] }), {
      name: 'getRows',
      schema: { rows: [Row] },
    });
    const controller = new Controller();
    const view = controller.observe(getRows);
    const [loaded, fetched] = await Promise.all([view.load(), controller.fetch(getRows)]);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready' });
    expect(loaded).toBe(controller.getResponse(getRows));
    expect(fetched).toBe(loaded);
  });

  it('has the time of its response', async () => {
    let now = 0;
    const controller = new Controller({ environment: { now: () => now } });
    const getText = new Endpoint(async () => 'text', { name: 'getTextAt' });
    const view = controller.observe(getText);
    expect(view.fetchedAt).toBeUndefined();
    await view.load();
    expect(view.fetchedAt).toBe(0);
    now = 700;
    controller.setResponse(getText, 'pushed');
    expect(view.fetchedAt).toBe(700);
    await controller.invalidate(getText);
    expect(view.fetchedAt).toBeUndefined();
  });

  it('goes on loading with the endpoint of its readers when another caller only looks', async () => {
    const { calls, view, controller, getText } = byHand();
    const ended = getText.extend({ signal: AbortSignal.abort() });
    expect(controller.getResponse(ended, { id: '1' })).toBeUndefined();
    expect(controller.getError(ended, { id: '1' })?.name).toBe('AbortError');
    expect(controller.getError(getText, { id: '1' })).toBeUndefined();
    const loading = view.load();
    calls[0]?.resolve('text');
    await expect(loading).resolves.toBe('text');
  });
});

describe("an endpoint's signal function", () => {
  it('is called with the arguments of the request', async () => {
    const asked: unknown[] = [];
    const getText = new Endpoint(async (id: string, page: number) => `${id}${page}`, {
      name: 'getTextOf',
      signal: (...args: readonly unknown[]) => void asked.push(args) as undefined,
    });
    expect(await new Controller().fetch(getText, 'a', 2)).toBe('a2');
    expect(asked).toEqual([['a', 2]]);
  });
});

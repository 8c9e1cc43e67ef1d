import {
  Controller,
  type ControllerOptions,
  Endpoint,
  type EndpointShape,
  Entity,
  type Snapshot,
  type View,
} from 'restitch';

export class Item extends Entity {
  id = '';
  name = '';
  static override key = 'Item';
}

export class User extends Entity {
  id = '';
  name = '';
  tags: string[] = [];
  friend: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
User.schema = { friend: User };

/** A record whose `at` is refused by its deserializer where it is `'bad'`. */
export class Dated extends Entity {
  id = '';
  n = 0;
  at = '';
  static override key = 'Dated';
  static override schema = {
    at: (value: string): string => {
      if (value === 'bad') throw new Error('bad date');
      return value;
    },
  };
}

/** A record whose `merge` refuses the number 13. */
export class Superstitious extends Entity {
  id = '';
  n = 0;
  static override key = 'Superstitious';
  static override merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    if (incoming['n'] === 13) throw new Error('thirteen');
    return { ...existing, ...incoming };
  }
}

/** A controller with a clock that stands still, and what it reports. */
export function openWorld(options: ControllerOptions = {}) {
  const clock = { now: 1_000_000 };
  const reports: unknown[] = [];
  const controller = new Controller({
    ...options,
    environment: {
      now: () => clock.now,
      report: (error) => {
        reports.push(error);
      },
    },
  });
  return { controller, clock, reports };
}

interface Call {
  readonly args: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Options extends EndpointShape {
  readonly key?: (...args: any[]) => string;
  readonly errorPolicy?: (error: any) => 'soft' | 'hard' | undefined;
  readonly getOptimisticResponse?: (snapshot: Snapshot, ...args: any[]) => unknown;
}

/** An endpoint whose requests the test responds to by hand, in whatever order; an abort rejects them. */
export function manual<S>(name: string, schema: S, options: Options = {}) {
  const calls: Call[] = [];
  function send(
    this: { signal?: AbortSignal | (() => AbortSignal | undefined) },
    ...args: any[]
  ): Promise<any> {
    const signal = typeof this.signal === 'function' ? this.signal() : this.signal;
    return new Promise((resolve, reject) => {
      calls.push({ args, signal, resolve, reject });
      const stop = () => reject(signal?.reason as Error);
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
    });
  }
  const at = async (index: number): Promise<Call> => {
    await flush();
    const call = calls.at(index);
    if (!call) throw new Error(`No request ${index} of ${name}; there were ${calls.length}.`);
    return call;
  };
  return {
    endpoint: new Endpoint<(...args: any[]) => Promise<any>, { name: string; schema: S }>(send, {
      ...options,
      name,
      schema,
    }),
    calls,
    /** Responds to one request, by default the newest, and lets every listener run. */
    respond: async (value: unknown, index = -1): Promise<void> => {
      (await at(index)).resolve(value);
      await flush();
    },
    fail: async (reason: unknown, index = -1): Promise<void> => {
      (await at(index)).reject(reason);
      await flush();
    },
  };
}

/** As `manual`, for a mutation. */
export function mutation<S>(
  name: string,
  schema: S,
  getOptimisticResponse?: (snapshot: Snapshot, ...args: any[]) => unknown,
) {
  return manual(name, schema, {
    sideEffect: true,
    ...(getOptimisticResponse && { getOptimisticResponse }),
  });
}

/** Lets everything that waits for nothing but promises come to rest. */
export async function flush(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

type Outcome =
  | { readonly status: 'fulfilled'; readonly value: unknown }
  | { readonly status: 'rejected'; readonly reason: unknown }
  | { readonly status: 'pending' };

/** What a promise has come to once everything is at rest; never rejects. */
export async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  let outcome: Outcome = { status: 'pending' };
  promise.then(
    (value) => {
      outcome = { status: 'fulfilled', value };
    },
    (reason: unknown) => {
      outcome = { status: 'rejected', reason };
    },
  );
  await flush();
  return outcome;
}

/** For requests that the test leaves to themselves. */
export function ignore(promise: Promise<unknown>): void {
  promise.catch(() => {});
}

/** Counts the notifications of a view. */
export function listen(view: View<unknown>): { count: number } {
  const notified = { count: 0 };
  view.subscribe(() => {
    notified.count += 1;
  });
  return notified;
}

/** What a view shows, or what it last showed. */
export function dataOf<T>(view: View<T>): T | undefined {
  const snapshot = view.getSnapshot();
  return snapshot.status === 'ready' ? snapshot.data : snapshot.previous;
}

export const idsOf = (rows: readonly { id: string }[] | undefined): string[] | undefined =>
  rows?.map(({ id }) => id);

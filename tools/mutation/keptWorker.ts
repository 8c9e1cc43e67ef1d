/**
 * A worker thread that goes on from one mutant to the next: to start one costs more than the tests of most mutants. It reads
 * the library and the tests anew for each, see setup.ts.
 */
import { type PoolOptions, type PoolRunnerInitializer, ThreadsPoolWorker } from 'vitest/node';

type Message = Parameters<ThreadsPoolWorker['send']>[0];
type Listener = (value: unknown) => void;

/** Runs after which a thread is replaced: what vitest remembers of each adds up. */
const LONGEST = 60;

let thread: ThreadsPoolWorker | undefined;
let runs = 0;

/** The thread as one run sees it. */
class KeptWorker {
  readonly name = 'kept';
  readonly cacheFs = false;
  readonly #options: PoolOptions;
  readonly #listeners: [event: string, listener: Listener][] = [];
  /** The run's own configuration, which names the tests of the mutant: the thread knows that of its first run. */
  #config: unknown;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (runs++ >= LONGEST) {
      await thread?.stop();
      thread = undefined;
      runs = 0;
    }
  }

  send(message: Message): void {
    const known = thread;
    if ('type' in message && message.type === 'start') {
      this.#config = message.context.config;
      if (known) return this.#emit('started');
      thread = new ThreadsPoolWorker(this.#options);
      void thread.start().then(() => {
        for (const [event, listener] of this.#listeners) thread?.on(event, listener);
        thread?.send(message);
      });
    } else if ('type' in message && message.type === 'stop') {
      this.#emit('stopped');
    } else if ('type' in message && message.type === 'run') {
      known?.send({ ...message, context: { ...message.context, config: this.#config } } as Message);
    } else {
      known?.send(message);
    }
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    thread?.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    thread?.off(event, listener);
  }

  /** The end of a run: the thread stays. */
  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) thread?.off(event, listener);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #emit(type: 'started' | 'stopped'): void {
    setImmediate(() => {
      for (const [event, listener] of this.#listeners) {
        if (event === 'message') listener({ type, __vitest_worker_response__: true });
      }
    });
  }
}

export const keptWorker: PoolRunnerInitializer = {
  name: 'kept',
  createPoolWorker: (options) => new KeptWorker(options),
};

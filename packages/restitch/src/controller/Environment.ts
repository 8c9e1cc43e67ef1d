/**
 * The host functions that the controller uses. Each can be replaced, for example the clock in
 * tests.
 *
 * @remarks Endpoints do not use them: `timeout` and the delays of `retry` use the timers and the
 * `Math.random` of the host, and `batched` sends its requests in a microtask. In tests, set the
 * delays with `retry: { limit: 2, backoff: () => 0 }`, or use the fake timers of the test runner.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 *
 * let now = 0;
 * const controller = new Controller({ environment: { now: () => now } });
 * now += 60_000;
 * ```
 */
export interface Environment {
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now: () => number;
  /** Receives errors without a caller, such as those of listeners. Default: `console.error`. */
  readonly report: (error: unknown) => void;
  /** Returns a number from 0 up to 1, for random delays. Default: `Math.random`. */
  readonly random: () => number;
  /** Calls `callback` after some milliseconds. Returns the timer. Default: the host's. */
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  /** Cancels a timer of `setTimeout`. Default: `clearTimeout` of the host. */
  readonly clearTimeout: (timer: unknown) => void;
  /**
   * Runs low-priority work after some milliseconds, when the host is idle. Returns a function that
   * cancels the work.
   *
   * @remarks A replacement must not keep the program alive with its timer. Default: `setTimeout`,
   * followed by `requestIdleCallback` where it exists.
   */
  readonly whenIdle: (callback: () => void, milliseconds: number) => () => void;
  /** Returns true if the page is visible. Default: `document.visibilityState` is not `'hidden'`. */
  readonly isVisible: () => boolean;
  /** Returns true if the network may be reachable. Default: `navigator.onLine`, or else true. */
  readonly isOnline: () => boolean;
  /**
   * Calls `listener` when `isVisible` or `isOnline` may have changed. Returns a function that
   * removes it.
   *
   * @remarks Default: the browser's events. Other hosts have no default events. In React Native,
   * use `AppState` and a network library.
   */
  readonly watch: (listener: () => void) => () => void;
}

interface Host {
  readonly document?: EventTarget & { readonly visibilityState: string };
  readonly navigator?: { readonly onLine?: boolean };
  readonly requestIdleCallback?: (callback: () => void, options: { timeout: number }) => unknown;
  readonly addEventListener?: EventTarget['addEventListener'];
  readonly removeEventListener?: EventTarget['removeEventListener'];
}

// The cast: any of these globals may be missing, but the browser's types declare them.
const host = globalThis as Host;

export function createEnvironment(parts: Partial<Environment> = {}): Environment {
  const environment: Environment = {
    now: () => Date.now(),
    // oxlint-disable-next-line no-console -- the documented last resort
    report: (error) => console.error(error),
    random: () => Math.random(),
    setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer as number),
    whenIdle(callback, milliseconds) {
      // In a test with its own `setTimeout`, only that function decides when the callback runs.
      const idle = parts.setTimeout ? undefined : host.requestIdleCallback;
      let isOff = false;
      const run = (): void => {
        if (!isOff) {
          callback();
        }
      };
      const timer = environment.setTimeout(
        () => (idle ? idle(run, { timeout: LONGEST_WAIT }) : run()),
        milliseconds,
      );
      // The cast: only timers of Node have `unref`, which lets the program exit.
      (timer as { unref?: () => void } | undefined)?.unref?.();
      return () => {
        isOff = true;
        environment.clearTimeout(timer);
      };
    },
    isVisible: () => host.document?.visibilityState !== 'hidden',
    isOnline: () => host.navigator?.onLine !== false,
    watch,
    ...parts,
  };
  return environment;
}

const LONGEST_WAIT = 1_000;

function watch(listener: () => void): () => void {
  const each = (change: 'addEventListener' | 'removeEventListener'): void => {
    host.document?.[change]('visibilitychange', listener);
    host[change]?.('online', listener);
    host[change]?.('offline', listener);
  };
  each('addEventListener');
  return () => each('removeEventListener');
}

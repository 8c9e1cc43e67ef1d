/**
 * What the controller takes from its host. Replace any part, for example the clock in tests.
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
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now: () => number;
  /** Called with what a listener, a manager or a class callback threw where no caller can be told. Default: `console.error`. */
  readonly report: (error: unknown) => void;
  /** A number from 0 up to 1, which spreads what would otherwise happen everywhere at once. Default: `Math.random`. */
  readonly random: () => number;
  /** Calls back after some milliseconds; returns what `clearTimeout` takes. Default: the host's. */
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  /** Default: the host's. */
  readonly clearTimeout: (timer: unknown) => void;
  /**
   * Calls back for work that can wait, after some milliseconds and when the host has nothing better to do; returns how to
   * call it off. Must not keep the program alive. Default: `setTimeout`, then `requestIdleCallback` where there is one.
   */
  readonly whenIdle: (callback: () => void, milliseconds: number) => () => void;
  /** Whether somebody can see the screen. Default: the document's visibility, where there is a document. */
  readonly isVisible: () => boolean;
  /** Whether the network may be reached. Default: `navigator.onLine`, where there is one. */
  readonly isOnline: () => boolean;
  /**
   * Calls `listener` when `isVisible` or `isOnline` may have changed; returns how to stop. Default: the browser's events,
   * elsewhere never. In React Native: `AppState` and the network library of your choice.
   */
  readonly watch: (listener: () => void) => () => void;
}

/** What a browser has and other hosts may lack. */
interface Host {
  readonly document?: EventTarget & { readonly visibilityState: string };
  readonly navigator?: { readonly onLine?: boolean };
  readonly requestIdleCallback?: (callback: () => void, options: { timeout: number }) => unknown;
  readonly addEventListener?: EventTarget['addEventListener'];
  readonly removeEventListener?: EventTarget['removeEventListener'];
}

// The cast: any part may be missing, which the types of a browser do not say.
const host = globalThis as Host;

export function createEnvironment(parts: Partial<Environment> = {}): Environment {
  const environment: Environment = {
    now: () => Date.now(),
    // oxlint-disable-next-line no-console -- the documented last resort
    report: (error) => console.error(error),
    random: () => Math.random(),
    setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
    // The cast: it is what `setTimeout` returned.
    clearTimeout: (timer) => clearTimeout(timer as number),
    whenIdle(callback, milliseconds) {
      // A clock of the program's own says itself when there is time.
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
      // The cast: Node's timers can be told not to keep the program alive, others are numbers.
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

/** Milliseconds after which the work is done although the host is busy. */
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

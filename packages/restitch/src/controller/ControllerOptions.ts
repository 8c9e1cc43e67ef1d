import type { Environment } from './Environment.js';
import type { ErrorListener } from './Failures.js';
import type { Manager } from './Manager.js';
import type { SweepOptions } from './Sweeper.js';

/** Settings of a `Controller`; all optional. */
export interface ControllerOptions {
  /** What extends the controller. Default: nothing. */
  readonly managers?: readonly Manager[];
  /** Milliseconds for which an answer counts as fresh, where its endpoint does not say. Default: 60 000. */
  readonly dataExpiryLength?: number;
  /** Milliseconds for which an error is shown before a reader that mounts asks again. Default: 1 000. */
  readonly errorExpiryLength?: number;
  /**
   * When what nobody reads is forgotten: answers past twice their lifetime, and records that no answer holds any more, are
   * looked for every five minutes, in slices of a few milliseconds. What somebody reads, subscribes to or retains stays.
   * `false` keeps everything.
   */
  readonly sweep?: SweepOptions | false;
  /**
   * How many records may be kept that nobody reads; above it the answers and records that were read longest ago go at once.
   * What is being read or changed stays, however much it is. Default: no limit.
   */
  readonly maxEntities?: number;
  /**
   * Called with every request that fails, and its action: for logs and toasts. `action.aborted` tells what was ended on
   * purpose. Without it, development prints a line for a failed `controller.fetch` whose promise nothing handled.
   */
  readonly onError?: ErrorListener | undefined;
  /** Replaces parts of the host, such as the clock. */
  readonly environment?: Partial<Environment>;
}

/** How `controller.resetEntireStore` treats readers. */
export interface ResetOptions {
  /** `false`: readers on the screen do not fetch again by themselves. Default: true. */
  readonly refetch?: boolean | undefined;
}

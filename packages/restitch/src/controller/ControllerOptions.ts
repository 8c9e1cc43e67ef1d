import type { Environment } from './Environment.js';
import type { ErrorListener, SuccessListener } from './Failures.js';
import type { Manager } from './Manager.js';
import type { SweepOptions } from './Sweeper.js';

/** Options of a `Controller`; all are optional. */
export interface ControllerOptions {
  /** Extensions, such as polling. Default: none. */
  readonly managers?: readonly Manager[];
  /** Milliseconds for which a result is fresh if its endpoint sets no lifetime. Default: 60 000. */
  readonly dataExpiryLength?: number;
  /** Milliseconds for which new readers show a stored error without a request. Default: 1 000. */
  readonly errorExpiryLength?: number;
  /**
   * Garbage collection of data that no reader uses. `false` keeps everything.
   *
   * @remarks Every five minutes, a sweep removes results without a reader that are older than twice
   * their lifetime. The sweep also removes records that no result contains, in slices of a few
   * milliseconds. Data that is read, subscribed to or retained stays.
   */
  readonly sweep?: SweepOptions | false;
  /**
   * The limit for the number of stored records. Default: no limit.
   *
   * @remarks Above the limit, results and records without a reader are evicted when the host is
   * idle. The least recently read ones are evicted first. Above twice the limit, the next write
   * evicts data synchronously. Data that is being read or changed always stays.
   */
  readonly maxEntities?: number;
  /**
   * Called once for every failed request, for example to log the error. Requests that were aborted
   * on purpose, for example by a reset, do not count.
   * @remarks Without `onError`, development builds log a failed `controller.fetch` whose promise
   * has no handler.
   */
  readonly onError?: ErrorListener | undefined;
  /** Called once for every successful request, with its response and its action. */
  readonly onSuccess?: SuccessListener | undefined;
  /** Replaces functions of the host, such as the clock. */
  readonly environment?: Partial<Environment>;
}

/** Options of `controller.resetEntireStore`. */
export interface ResetOptions {
  /** `false`: mounted readers do not fetch again automatically. Default: true. */
  readonly refetch?: boolean | undefined;
}

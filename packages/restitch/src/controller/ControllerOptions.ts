import type { Environment } from './Environment.js';
import type { Manager } from './Manager.js';

/** Settings of a `Controller`; all optional. */
export interface ControllerOptions {
  /** What extends the controller. Default: nothing. */
  readonly managers?: readonly Manager[];
  /** Milliseconds for which an answer counts as fresh, where its endpoint does not say. Default: 60 000. */
  readonly dataExpiryLength?: number;
  /** Milliseconds for which an error is shown before a reader that mounts asks again. Default: 1 000. */
  readonly errorExpiryLength?: number;
  /** Replaces parts of the host, such as the clock. */
  readonly environment?: Partial<Environment>;
}

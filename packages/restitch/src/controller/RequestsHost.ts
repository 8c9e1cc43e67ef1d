import type { Store } from '../store/cells/Store.js';
import type { Dispatch } from './actions.js';
import type { EndpointView } from './EndpointView.js';
import type { Environment } from './Environment.js';
import type { Flight } from './Flight.js';
import type { Lifetimes } from './Lifetimes.js';

/** What requests need of their controller. */
export interface RequestsHost {
  readonly store: () => Store;
  readonly dispatch: Dispatch;
  readonly now: () => number;
  readonly whenIdle: Environment['whenIdle'];
  readonly report: (error: unknown) => void;
  readonly lifetimes: Lifetimes;
  /** The view of a request's question: everybody who reads gets the identical object. */
  readonly view: (flight: Flight) => EndpointView<unknown>;
}

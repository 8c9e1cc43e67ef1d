import { createStore } from './createStore.js';

/** The simulated network: `latency` in milliseconds, `failureRate` in percent. */
export const switches = createStore({ latency: 0, failureRate: 0 });

import { createStore } from './createStore.js';

/** How bad the network pretends to be: `latency` in milliseconds, `failureRate` in percent. */
export const switches = createStore({ latency: 0, failureRate: 0 });

/**
 * Exports the data of a store as plain data and restores it. Use it to persist the data, or to send
 * it to another program.
 *
 * @module restitch/state
 */
export { applyChange } from './applyChange.js';
export { changes } from './changes.js';
export type { ChangeSet, ListChange, ResultChange, RowChange } from './ChangeSet.js';
export { getState } from './getState.js';
export { hydrate } from './hydrate.js';
export { openStream } from './openStream.js';
export type { StateStream } from './openStream.js';
export type { StoreState } from '../store/cells/StoreState.js';

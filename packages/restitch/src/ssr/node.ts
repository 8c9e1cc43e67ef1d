/**
 * Server rendering: streams state inside a page, and creates the controller that takes over that
 * state.
 *
 * @module restitch/ssr
 */
export {
  dehydrate,
  hydrate,
  hydrateController,
  serializeState,
  stateSource,
  stateTransformStream,
} from './index.js';
export type { StateScriptOptions } from './index.js';
export { stateTransform } from './stateTransform.js';

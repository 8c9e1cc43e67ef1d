/**
 * Server rendering: state that travels in the stream of a page, and the controller that takes it over.
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

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

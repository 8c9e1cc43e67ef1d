// These exports run everywhere. `node.ts` adds the exports that need Node.
export { hydrateController } from './hydrateController.js';
export { serializeState } from './serializeState.js';
export type { StateScriptOptions } from './serializeState.js';
export { stateSource } from './source.js';
export { dehydrate, hydrate } from './state.js';
export { stateTransformStream } from './stateTransformStream.js';

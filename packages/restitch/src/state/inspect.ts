import { readableText } from '../schema/identity.js';
import { entitiesIn } from '../schema/signature.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { exportState } from './exportState.js';
import type { Naming } from './leaving.js';

/** What a controller holds, for people to look at: as it is exported, with a name and a number for what has no name elsewhere. */
export function inspect(controller: object): StoreState {
  const store = internalsOf(controller).store;
  return exportState(store, store.now(), displayName);
}

const displayName: Naming = (text, shape, endpoint = '') =>
  readableText(text, (own) => {
    const entities = shape ? [...entitiesIn(shape)] : [];
    return entities.find(({ table }) => table === own)?.name ?? endpoint;
  });

/** A cache key as people read it: an endpoint without a name of its own by that of its function. */
export function readableKey(key: string, endpoint: string): string {
  return readableText(key, () => endpoint);
}

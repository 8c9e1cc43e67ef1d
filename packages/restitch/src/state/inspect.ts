import { namedText } from '../schema/identityText.js';
import { entitiesIn } from '../schema/signature.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { exportState } from './exportState.js';
import type { Naming } from './requireNames.js';

/** For a developer tool. A class or function without a name gets a display name and a number. */
export function inspect(controller: object): StoreState {
  const store = internalsOf(controller).store;
  return exportState(store, store.now(), displayName);
}

const displayName: Naming = (text, shape, endpoint = '') =>
  namedText(text, (own) => {
    const entities = shape ? [...entitiesIn(shape)] : [];
    return entities.find(({ table }) => table === own)?.name ?? endpoint;
  });

export function readableKey(key: string, endpoint: string): string {
  return namedText(key, () => endpoint);
}

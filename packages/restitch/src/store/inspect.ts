import { readableText } from '../schema/identity.js';
import { entitiesIn } from '../schema/signature.js';
import { exportState, type StoreState } from './exportState.js';
import type { Naming } from './leaving.js';
import type { Store } from './state.js';

/** The stores of controllers, for tools that look into them. */
const stores = new WeakMap<object, () => Store>();

/** Lets tools look into the store of a controller. */
export function exposeStore(controller: object, store: () => Store): void {
  stores.set(controller, store);
}

/** What a controller holds, for people to look at: as it is exported, with a name and a number for what has no name elsewhere. */
export function inspect(controller: object): StoreState | undefined {
  const store = stores.get(controller)?.();
  return store && exportState(store, store.now(), displayName);
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

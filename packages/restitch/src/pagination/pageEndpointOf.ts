import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Collection } from '../schema/Collection.js';
import type { CollectionMethods } from '../schema/listsInSchema.js';
import { withoutPage } from '../schema/listSchema.js';

/**
 * An endpoint has only one page endpoint. A second one would have another cursor function, so equal
 * requests of the two would not be shared.
 */
const known = new WeakMap<EndpointInterface, EndpointInterface>();

export function pageEndpointOf(
  endpoint: EndpointInterface,
  collection: Collection & CollectionMethods,
  [param = '', ...others]: readonly string[],
): EndpointInterface {
  let page = known.get(endpoint);
  if (!page) {
    const isSingle = others.length === 0;
    const params = [param, ...others];
    page = collection.$paginate(
      endpoint,
      isSingle ? param : (...args: readonly unknown[]) => params.reduce(withoutPage, args),
    );
    known.set(endpoint, page);
  }
  return page;
}

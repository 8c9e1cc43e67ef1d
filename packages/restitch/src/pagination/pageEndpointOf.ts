import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { withoutPage } from '../schema/listSchema.js';

/** Two page endpoints of one endpoint would not share requests: their cursor functions differ. */
const known = new WeakMap<EndpointInterface, EndpointInterface>();

export function pageEndpointOf(
  endpoint: EndpointInterface,
  [param = '', ...others]: readonly string[],
): EndpointInterface {
  let page = known.get(endpoint);
  const collection = page ? undefined : collectionOf(endpoint.schema);
  if (!page && collection) {
    const isSingle = others.length === 0;
    const params = [param, ...others];
    page = collection.$paginate(
      endpoint,
      isSingle ? param : (...args: readonly unknown[]) => params.reduce(withoutPage, args),
    );
    known.set(endpoint, page);
  }
  return page ?? endpoint;
}

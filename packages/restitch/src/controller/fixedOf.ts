import type { EndpointInterface } from '../endpoint/EndpointInterface.js';

/** Returns the endpoint for a call that begins now; see `Identified.$fixed`. */
export function fixedOf(endpoint: EndpointInterface): EndpointInterface {
  // The cast: `$fixed` has the type of its endpoint.
  return (endpoint.$fixed ?? endpoint) as EndpointInterface;
}

import type { EndpointInterface } from '../endpoint/EndpointInterface.js';

/** Returns a copy of the endpoint with the present values of getters such as `urlPrefix`. */
export function fixedOf(endpoint: EndpointInterface): EndpointInterface {
  // The cast: `$fixed` has the type of its endpoint.
  return (endpoint.$fixed ?? endpoint) as EndpointInterface;
}

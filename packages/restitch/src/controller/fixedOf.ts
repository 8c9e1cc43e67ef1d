import type { EndpointInterface } from '../endpoint/EndpointInterface.js';

/** Returns a copy of the endpoint with the present values of getters such as `urlPrefix`. */
export function fixedOf(endpoint: EndpointInterface): EndpointInterface {
  // The cast: `$fixed` has the type of its endpoint.
  return (endpoint.$fixed ?? endpoint) as EndpointInterface;
}

/** For a copy of `fixedOf`, returns its endpoint. Code of users compares it: `=== Users.get`. */
export function declaredOf<E extends EndpointInterface>(endpoint: E): E {
  // The cast: `$source` has the type of its copy.
  return (endpoint.$source ?? endpoint) as E;
}

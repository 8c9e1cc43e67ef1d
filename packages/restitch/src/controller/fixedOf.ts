import type { EndpointInterface } from '../endpoint/EndpointInterface.js';

/** Returns a copy of the endpoint with the present values of getters such as `urlPrefix`. */
export function fixedOf(endpoint: EndpointInterface): EndpointInterface {
  return (endpoint.$fixed ?? endpoint) as EndpointInterface;
}

/** Returns the original of a copy, because users compare endpoints, as in `=== Users.get`. */
export function declaredOf<E extends EndpointInterface>(endpoint: E): E {
  return (endpoint.$source ?? endpoint) as E;
}

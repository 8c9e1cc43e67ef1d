import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { FetchAction } from './actions.js';
import type { Flight } from './Flight.js';

/** Calls the endpoint's `fetch`, or what answers instead, with a signal that aborts when nobody wants the answer any more. */
export async function callEndpoint(
  { endpoint, abort }: Flight,
  args: readonly unknown[],
  instead: FetchAction['fetch'],
): Promise<unknown> {
  // The cast: `extend` promises the same endpoint with other options.
  const request = endpoint.extend({ signal: () => abort.signal }) as EndpointInterface;
  return instead ? instead.apply(request, [...args]) : endpoint.fetch.apply(request, [...args]);
}

import type { EndpointView } from '../controller/EndpointView.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { requestArgs } from '../schema/listHomes.js';
import type { Positions } from './createPagination.js';

/** Returns the page size in the arguments or in the default search parameters, or undefined. */
export function requestedSize(
  { endpoint, args }: Pick<EndpointView<unknown>, 'endpoint' | 'args'>,
  positions: Positions | undefined,
): number | undefined {
  const list = collectionOf(endpoint.schema);
  return positions?.sizeIn(list ? requestArgs(list, args) : args);
}

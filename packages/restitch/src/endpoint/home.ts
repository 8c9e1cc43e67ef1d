import { prefixFor } from './path.js';

export { addedPairs } from '../schema/endpointHome.js';

/** The members of an endpoint that identify its server and its user. */
export interface Housed {
  readonly path?: string | undefined;
  readonly urlPrefix?: string | undefined;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
}

/** Returns the text before the path of an endpoint. */
export const prefixOf = ({ urlPrefix, path }: Housed): string =>
  prefixFor(urlPrefix ?? '', path ?? '');

/**
 * Returns the text that identifies the server in cache keys and list identities: the name of the
 * service, otherwise the prefix of its URLs.
 */
export function serverOf(endpoint: Housed): string {
  const { service } = endpoint;
  return service === undefined ? prefixOf(endpoint) : JSON.stringify(service);
}

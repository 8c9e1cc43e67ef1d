import { prefixFor } from './path.js';

/** What says which server an endpoint asks, and for whom. */
export interface Housed {
  readonly path?: string | undefined;
  readonly urlPrefix?: string | undefined;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
}

/** What comes before the path of an endpoint. */
export const prefixOf = ({ urlPrefix, path }: Housed): string =>
  prefixFor(urlPrefix ?? '', path ?? '');

/** What stands for the server in keys and homes: the name of the service, else the prefix of its URLs. */
export function serverOf(endpoint: Housed): string {
  const { service } = endpoint;
  return service === undefined ? prefixOf(endpoint) : JSON.stringify(service);
}

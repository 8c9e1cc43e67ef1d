export { addedPairs } from '../schema/endpointHome.js';

export interface Housed {
  readonly path?: string | undefined;
  readonly urlPrefix?: string | undefined;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
}

const HOST_ALONE = /^([a-z][\w+.-]*:)?\/\/[^/?#]+$/i;

/**
 * Returns the prefix of an endpoint's URL: `https://host/` + `/users` → `https://host`. A slash is
 * added if the path would become part of the host: `https://host` + `users` → `https://host/`.
 */
export function prefixOf({ urlPrefix, path = '' }: Housed): string {
  const prefix = urlPrefix ?? '';
  if (/^(\{\/[^{}]*\})*(\/|(?<=.)$)/.test(path)) return prefix.replace(/\/$/, '');
  return HOST_ALONE.test(prefix) && /^\{*[^{/?]/.test(path) ? `${prefix}/` : prefix;
}

export function serverOf(endpoint: Housed): string {
  const { service } = endpoint;
  return service === undefined ? prefixOf(endpoint) : JSON.stringify(service);
}

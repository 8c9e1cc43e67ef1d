import { editsBetween, warnMisspelled, warnOnce } from '../errors/misspelled.js';
import type { Options } from './callable.js';

const ENDPOINT_OPTIONS = [
  'body',
  'content',
  'dataExpiryLength',
  'errorExpiryLength',
  'errorPolicy',
  'fetch',
  'fetchResponse',
  'getHeaders',
  'getOptimisticResponse',
  'getRequestInit',
  'invalidIfStale',
  'key',
  'method',
  'name',
  'networkMode',
  'nullable',
  'onProgress',
  'pagination',
  'paginationField',
  'parseResponse',
  'path',
  'pollFrequency',
  'process',
  'requestInit',
  'retry',
  'schema',
  'scope',
  'searchParams',
  'searchToString',
  'send',
  'service',
  'sideEffect',
  'signal',
  'testKey',
  'timeout',
  'url',
  'urlPrefix',
  'validate',
];

const RESOURCE_OPTIONS = ['Collection', 'Endpoint', 'nonFilterArgumentKeys', 'optimistic'];

const RETRY_OPTIONS = ['backoff', 'limit', 'methods', 'statusCodes'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

const INIT_OPTIONS = [
  'body',
  'cache',
  'credentials',
  'dispatcher',
  'duplex',
  'headers',
  'integrity',
  'keepalive',
  'method',
  'mode',
  'next',
  'priority',
  'redirect',
  'referrer',
  'referrerPolicy',
  'scope',
  'signal',
  'window',
];

export function warnInit(init: object): void {
  for (const [name, value] of Object.entries(init)) {
    const isOption = ENDPOINT_OPTIONS.includes(name) && !INIT_OPTIONS.includes(name);
    if (isOption || typeof value === 'function') {
      warnOnce(
        `hookifyResource: \`${name}\` is ignored, because the hook returns the init of a request. Set it on the resource or its class.`,
      );
    }
  }
  warnMisspelled('hookifyResource', Object.keys(init), INIT_OPTIONS, (name) =>
    ENDPOINT_OPTIONS.includes(name),
  );
}

export function warnOptions(type: Function, options: Options, source?: Function): void {
  const { name, path } = options;
  const names = [name, path, source?.name, type.name];
  // The cast: the last name is always text.
  const owner = names.find((text) => typeof text === 'string') as string;
  warnMisspelled(owner, Object.keys(options), ENDPOINT_OPTIONS, (other) => other in type.prototype);
  warnMisspelled(`${owner}: retry`, Object.keys(Object(options.retry)), RETRY_OPTIONS);
  const { method } = options;
  if (typeof method === 'string' && !METHODS.includes(method)) {
    const capital = method.toUpperCase();
    const meant = METHODS.find((known) => editsBetween(capital, known) <= 1);
    if (meant) warnOnce(`${owner}: the method '${method}' is unknown. Did you mean '${meant}'?`);
  }
}

export function warnResourceOptions(options: Options): void {
  const { path, Endpoint } = options;
  const isMember = (name: string): boolean =>
    typeof Endpoint === 'function' && name in Endpoint.prototype;
  const known = [...ENDPOINT_OPTIONS, ...RESOURCE_OPTIONS];
  warnMisspelled(`resource(${String(path)})`, Object.keys(options), known, isMember);
}

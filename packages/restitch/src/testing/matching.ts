import { type EndpointInterface, type FetchAction, RestitchError } from '../index.js';
import type { Fixture } from './Fixture.js';

const LONGEST_EXCERPT = 200;

/**
 * The last match wins, so that `fixtures` can begin with defaults. For a further page, a fixture of
 * the list also matches if no fixture of `getPage` does.
 */
export function findFixture(
  fixtures: readonly Fixture[],
  request: FetchAction,
): Fixture | undefined {
  const operation = operationOf(request.endpoint);
  const matching = (of: string | undefined) =>
    fixtures.findLast((fixture) => matches(fixture, request, of));
  return matching(operation) ?? (operation === 'getPage' ? matching(undefined) : undefined);
}

function matches(
  { endpoint, args }: Fixture,
  request: FetchAction,
  operation: string | undefined,
): boolean {
  const { key } = request;
  const isSame = operationOf(endpoint) === operation;
  if (!args) {
    // If a class computes its own URL, the key does not identify the endpoint. `$isKin` compares
    // options such as `method` and `path` instead.
    return isSame && (endpoint.testKey(key) || endpoint.$isKin?.(request.endpoint) === true);
  }
  // The key of a mutation does not contain the body, so its arguments are compared too.
  return (
    endpoint.key(...args) === key &&
    (!request.endpoint.sideEffect || (isSame && text(args) === text(request.args)))
  );
}

/** The operations of a list, such as `push`, share keys, but a fixture must match only one. */
function operationOf({ name }: EndpointInterface): string | undefined {
  return /\.(getPage|push|unshift|assign|remove|move)$/.exec(name)?.[1];
}

export function noFixture(fixtures: readonly Fixture[], { key, args }: FetchAction): RestitchError {
  const known = fixtures.map((fixture) => `\n- ${describe(fixture)}`).join('') || ' none.';
  const message = `${key}: no fixture matches this request with the arguments ${excerptOf(args)}. Known fixtures:${known}`;
  return new RestitchError('no-fixture', message);
}

function describe({ endpoint, args }: Fixture): string {
  if (!args) return `${endpoint.name}, with any arguments`;
  const key = endpoint.key(...args);
  return endpoint.sideEffect ? `${key} with ${excerptOf(args)}` : key;
}

function excerptOf(args: readonly unknown[]): string {
  const all = text(args);
  return all.length > LONGEST_EXCERPT ? `${all.slice(0, LONGEST_EXCERPT)}…` : all;
}

/** Equal requests have equal texts: members are sorted, and `5` equals `'5'`, as in a URL. */
function text(args: readonly unknown[]): string {
  return JSON.stringify(args, (_, value: unknown) => {
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

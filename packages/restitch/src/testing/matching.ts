import { type EndpointInterface, type FetchAction, RestitchError } from '../index.js';
import type { Fixture } from './Fixture.js';

/** How much of the arguments an error message shows, in characters. */
const SHOWN = 200;

/** The last fixture that answers a request: so that a list may begin with defaults. */
export function findFixture(
  fixtures: readonly Fixture[],
  request: FetchAction,
): Fixture | undefined {
  return fixtures.findLast((fixture) => matches(fixture, request));
}

function matches({ endpoint, args }: Fixture, request: FetchAction): boolean {
  const { key } = request;
  const isSame = derived(endpoint) === derived(request.endpoint);
  if (!args) {
    // Of a URL that a class makes itself the key says nothing: there the endpoint is told by what it was made of.
    return isSame && (endpoint.testKey(key) || endpoint['~isKin']?.(request.endpoint) === true);
  }
  // The key says everything about a read; of a mutation it leaves out the body.
  return (
    endpoint.key(...args) === key &&
    (!request.endpoint.sideEffect || (isSame && text(args) === text(request.args)))
  );
}

/**
 * Which of the endpoints that a list makes an endpoint is: they share their keys with the list, or with one another, but a
 * fixture of one must not answer for the other.
 */
function derived({ name }: EndpointInterface): string | undefined {
  return /\.(getPage|push|unshift|assign|remove|move)$/.exec(name)?.[1];
}

/** What a request that no fixture answers fails with. */
export function noFixture(fixtures: readonly Fixture[], { key, args }: FetchAction): RestitchError {
  const known = fixtures.map((fixture) => `\n- ${describe(fixture)}`).join('') || ' none.';
  const message = `${key}: no fixture answers this request, whose arguments are ${shown(args)}. Known fixtures:${known}`;
  return new RestitchError('no-fixture', message);
}

function describe({ endpoint, args }: Fixture): string {
  if (!args) return `${endpoint.name}, whatever the arguments`;
  const key = endpoint.key(...args);
  return endpoint.sideEffect ? `${key} with ${shown(args)}` : key;
}

function shown(args: readonly unknown[]): string {
  const all = text(args);
  return all.length > SHOWN ? `${all.slice(0, SHOWN)}…` : all;
}

/** Arguments as text that is equal for equal requests: members in order, and `5` like `'5'`, as in a URL. */
function text(args: readonly unknown[]): string {
  return JSON.stringify(args, (_, value: unknown) => {
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

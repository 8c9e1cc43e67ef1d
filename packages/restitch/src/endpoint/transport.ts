import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/misuse.js';

/** By error, whether the connection failed; false for a mistake in somebody's code. */
const origins = new WeakMap<object, boolean>();

/** Notes where an error comes from, for `isConnectionFailure`. Nothing is noted of what is no object. */
export function noteOrigin(error: unknown, isConnection: boolean): void {
  // The cast: it is one.
  if (Object(error) === error) origins.set(error as object, isConnection);
}

/** What is noted of an error, or undefined. */
// The cast: of what is no object nothing is noted.
export const originOf = (error: unknown): boolean | undefined => origins.get(error as object);

/** What engines say of a mistake in code, and platforms of a request that cannot be made. All are a `TypeError`. */
const MISTAKE = / is (not|un|nu)|an(no|')t| URL/;

/**
 * Whether an error says that the connection failed, or that nobody answered in time.
 *
 * @remarks An error that no endpoint has noted is judged by its class: a fixture may stand for a failed connection, and so may
 * what a `fetch` of the user's own rejects with. Mistakes in the arguments are a `TypeError` too, but carry a code.
 */
export const isConnectionFailure = (error: object): boolean =>
  (error as Error).name === 'TimeoutError' ||
  (originOf(error) ??
    (error instanceof TypeError && !('code' in error) && !MISTAKE.test(error.message)));

/** What browsers, Node, React Native and Deno say of a failed connection. */
const PLATFORM =
  /fetch|load failed|network|connect|internet|this server|hostname|terminated|sending request/i;

/**
 * Whether what a transport rejects with is a failed connection. One of the user's own may hold mistakes: of its `TypeError`s only
 * what platforms say of connections is one.
 */
export const isTransportFailure = (error: unknown, isOwn: boolean): boolean =>
  !(error instanceof TypeError) ||
  (isConnectionFailure(error) && (!isOwn || PLATFORM.test(error.message)));

/** Notes that what the transport rejects with is a failed connection, unless it is a mistake. */
export async function connected<T>(work: T | Promise<T>, isOwn = false): Promise<T> {
  try {
    return await work;
  } catch (error) {
    noteOrigin(error, isTransportFailure(error, isOwn));
    throw error;
  }
}

/**
 * What a step of a request returned.
 *
 * @throws TypeError when that is nothing: a `return` was forgotten.
 */
export function returned<T>(value: T, owner: string, step: string): T & {} {
  if (value === undefined || value === null) {
    throw misuse(
      'nothing-returned',
      isDevelopment ? `${owner}: \`${step}\` returned nothing.` : `${owner}: ${step}`,
    );
  }
  return value;
}

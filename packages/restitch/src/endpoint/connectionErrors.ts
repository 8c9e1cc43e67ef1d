import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/RestitchError.js';

/** The recorded errors: true for a failed connection, false for any other error. */
const origins = new WeakMap<object, boolean>();

export function noteOrigin(error: unknown, isConnection: boolean): void {
  origins.set(Object(error), isConnection);
}

// The cast: a value that is not an object has no record.
export const originOf = (error: unknown): boolean | undefined => origins.get(error as object);

/** Matches the message of a `TypeError` for a programming error or an invalid request. */
const MISTAKE = / is (not|un|nu)|an(no|')t| URL/;

/** A fixture or custom `fetch` can reject with a `TypeError` whose origin is not recorded. */
export const isConnectionFailure = (error: object): boolean =>
  (error as Error).name === 'TimeoutError' ||
  (originOf(error) ??
    (error instanceof TypeError && !('code' in error) && !MISTAKE.test(error.message)));

/** Matches messages of browsers, Node, React Native and Deno about failed connections. */
const PLATFORM =
  /fetch|load failed|network|connect|internet|this server|hostname|terminated|sending request/i;

/** A `TypeError` of custom code is a failed connection only if its message matches `PLATFORM`. */
export const isTransportFailure = (error: unknown, isCustom: boolean): boolean =>
  !(error instanceof TypeError) ||
  (isConnectionFailure(error) && (!isCustom || PLATFORM.test(error.message)));

export async function connected<T>(work: T | Promise<T>, isCustom = false): Promise<T> {
  try {
    return await work;
  } catch (error) {
    noteOrigin(error, isTransportFailure(error, isCustom));
    throw error;
  }
}

/** @throws TypeError when `value` is null or undefined, as after a forgotten `return`. */
export function returned<T>(value: T, owner: string, step: string): T & {} {
  if (value === undefined || value === null) {
    throw misuse(
      'nothing-returned',
      isDevelopment ? `${owner}: \`${step}\` returned nothing.` : `${owner}: ${step}`,
    );
  }
  return value;
}

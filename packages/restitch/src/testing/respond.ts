import { startTimer } from '../host/startTimer.js';
import type { EndpointInterface, Environment } from '../index.js';
import type { Fixture } from './Fixture.js';

export async function respond(
  fixture: Fixture,
  { signal }: EndpointInterface,
  args: readonly unknown[],
  environment: Environment,
): Promise<unknown> {
  const { delay } = fixture;
  // Computed before the delay: the response of a server contains no later changes.
  const made = make(fixture, args);
  if (delay !== undefined) {
    made.catch(() => {}); // an abort leaves this promise without a handler
    await pause(delay, typeof signal === 'function' ? signal() : signal, environment);
  }
  return made;
}

async function make(fixture: Fixture, args: readonly unknown[]): Promise<unknown> {
  if (fixture.error) throw fixture.error;
  const { response } = fixture;
  return copyPlain(typeof response === 'function' ? await response(...args) : response);
}

function pause(
  milliseconds: number,
  signal: AbortSignal | undefined,
  environment: Environment,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(signal?.reason as Error);
    };
    const end = (): void => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    const stop = startTimer(end, milliseconds, environment);
    // If the function of the fixture has aborted the request, no event follows.
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
  });
}

/** Plain data is copied, because the store may freeze it, and the fixture belongs to the test. */
export function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyPlain(part)]));
}

import { LONGEST_TIMER } from '../host/startTimer.js';
import type { EndpointInterface, Environment } from '../index.js';
import type { Fixture } from './Fixture.js';

/** Answers one request as its fixture says, with the request's endpoint as `this`. */
export async function answer(
  fixture: Fixture,
  { signal }: EndpointInterface,
  args: readonly unknown[],
  environment: Environment,
): Promise<unknown> {
  const { delay } = fixture;
  // As on a server, the answer is made when the request comes and travels afterwards: what changes meanwhile is not in it.
  const made = make(fixture, args);
  if (delay !== undefined) {
    made.catch(() => {}); // heard of below, unless the request is aborted before
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
  { setTimeout, clearTimeout }: Environment,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const end = (): void => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    // More than that would end at once.
    const timer = milliseconds > LONGEST_TIMER ? undefined : setTimeout(end, milliseconds);
    signal?.addEventListener('abort', abort);
  });
}

/** A copy of what JSON is made of: the store may adopt and freeze answers, and the fixture is the test's own. */
export function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyPlain(part)]));
}

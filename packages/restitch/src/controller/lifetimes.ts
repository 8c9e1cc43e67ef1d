import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Core } from './Core.js';

/** Milliseconds. An error that lives shorter could expire unread: readers would fetch forever. */
const SHORTEST_ERROR = 100;

export function lifetimeOf(
  core: Core,
  endpoint?: EndpointInterface,
  signal?: AbortSignal,
): Lifetime {
  return lasting(
    core,
    endpoint?.$lifetime?.(signal) ?? endpoint?.dataExpiryLength ?? core.dataExpiryLength,
  );
}

export function errorLifetimeOf(core: Core, { errorExpiryLength }: EndpointInterface): Lifetime {
  const length = errorExpiryLength ?? core.errorExpiryLength;
  // `NaN` must not make an error permanent.
  return lasting(core, length > SHORTEST_ERROR ? length : SHORTEST_ERROR);
}

function lasting({ store }: Core, length: number): Lifetime {
  const fetchedAt = store.now();
  return { fetchedAt, expiresAt: fetchedAt + length, isBrief: !(length > 0) };
}

import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Core } from './Core.js';

/** Milliseconds: a reader that waits has to see the error before it may ask again, or it would ask for ever. */
const SHORTEST_ERROR = 100;

/** How long data that is stored now counts as fresh. */
export function lifetimeOf(core: Core, endpoint?: EndpointInterface): Lifetime {
  return lasting(core, endpoint?.dataExpiryLength ?? core.dataExpiryLength);
}

/** How long an error that is stored now counts as fresh. */
export function errorLifetimeOf(core: Core, { errorExpiryLength }: EndpointInterface): Lifetime {
  const length = errorExpiryLength ?? core.errorExpiryLength;
  // What is no number at all must not make an error immortal.
  return lasting(core, length > SHORTEST_ERROR ? length : SHORTEST_ERROR);
}

function lasting({ environment }: Core, length: number): Lifetime {
  const fetchedAt = environment.now();
  return { fetchedAt, expiresAt: fetchedAt + length };
}

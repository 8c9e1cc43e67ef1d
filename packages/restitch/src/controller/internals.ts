import type { Core } from './Core.js';

const exposed = new WeakMap<object, Core>();

/** Lets the other parts of the library look into a controller. */
export function exposeInternals(controller: object, core: Core): void {
  exposed.set(controller, core);
}

/**
 * What `exposeInternals` was given.
 *
 * @throws TypeError when `controller` is none.
 */
export function internalsOf(controller: object): Core {
  const core = exposed.get(controller);
  if (!core) {
    throw new TypeError('`controller` must be a Controller of this copy of restitch.');
  }
  return core;
}

import { isDevelopment } from '../errors/development.js';
import type { Core } from './Core.js';

export const exposed: WeakMap<object, Core> = new WeakMap();

export function internalsOf(controller: object): Core {
  const core = exposed.get(controller);
  if (!core) {
    throw new TypeError(
      isDevelopment ? '`controller` must be a Controller of this copy of restitch.' : 'controller',
    );
  }
  return core;
}

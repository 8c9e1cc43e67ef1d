import { warnMisspelled } from '../errors/misspelled.js';
import { Entity } from './Entity.js';

const KNOWN = Object.getOwnPropertyNames(Entity);

/** Call it only in development: see `misspelled.ts`. */
export function warnStatics(entity: object, owner: string): void {
  const parent: unknown = Object.getPrototypeOf(entity);
  if (typeof parent !== 'function') return;
  warnMisspelled(owner, Object.getOwnPropertyNames(entity), KNOWN);
  warnStatics(parent, owner);
}

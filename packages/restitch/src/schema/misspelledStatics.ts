import { warnMisspelled } from '../errors/misspelled.js';
import { Entity } from './Entity.js';

const KNOWN = Object.getOwnPropertyNames(Entity);

/** Warns of misspelled static members. Call it only in development: see `warnMisspelled`. */
export function warnStatics(entity: object, owner: string): void {
  const parent: unknown = Object.getPrototypeOf(entity);
  if (typeof parent !== 'function') return;
  warnMisspelled(owner, Object.getOwnPropertyNames(entity), KNOWN);
  warnStatics(parent, owner);
}

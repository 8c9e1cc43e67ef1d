import { isDevelopment } from '../errors/development.js';
import type { Collection, ListArgs } from './Collection.js';
import type { Entity } from './Entity.js';
import { setKind } from './kind.js';
import type { Schema } from './Schema.js';
import type { Union } from './Union.js';
import type { Values } from './Values.js';

/** What stands for the records of a schema where they are not resolved: their primary keys, as text. */
export type LazyKeys<S> = S extends abstract new (...args: never) => Entity
  ? string
  : S extends Union
    ? string
    : S extends Collection
      ? ListArgs
      : S extends Values<infer M>
        ? Readonly<Record<string, LazyKeys<M>>>
        : S extends readonly (infer M)[]
          ? readonly LazyKeys<M>[]
          : unknown;

/**
 * A relation that stays a primary key: its records are stored, and stay for as long as what refers to them, but that neither
 * holds them nor changes with them. Whoever needs them reads them by the keys, as `useQuery(Ticket.schema.watchers, ticket.watchers)`.
 *
 * @example
 * ```ts
 * import { Controller, Entity, Lazy } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * class Ticket extends Entity {
 *   id = '';
 *   watchers: readonly string[] = [];
 *
 *   static schema = { watchers: new Lazy([User]) };
 * }
 *
 * const controller = new Controller();
 * const ticket = controller.get(Ticket, { id: '1' });
 * const watchers = ticket && controller.get(Ticket.schema.watchers, ticket.watchers);
 * ```
 */
export class Lazy<S extends Schema> {
  declare readonly '~value': LazyKeys<S>;
  declare readonly '~kind': 'lazy';
  readonly schema: S;

  static {
    setKind(this.prototype, 'lazy');
  }

  constructor(schema: S) {
    if (!schema) {
      throw new TypeError(
        isDevelopment ? '`new Lazy(schema)` needs the schema of what it refers to.' : 'Lazy',
      );
    }
    this.schema = schema;
  }
}

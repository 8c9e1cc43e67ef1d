import { isDevelopment } from '../errors/development.js';
import type { Collection, ListArgs } from './Collection.js';
import type { Entity } from './Entity.js';
import { setKind } from './SchemaKind.js';
import type { Normalizer, Previous, Reader, References } from './KindMethods.js';
import type { Schema } from './Schema.js';
import type { LazyShape, Shape } from './shapes.js';
import { isStoredForm } from './storedForm.js';
import type { Union } from './Union.js';
import type { Values } from './Values.js';

/** The value of a `Lazy` field: keys instead of records. `new Lazy([User])` gives `string[]`. */
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
 * A relation whose value is the primary key instead of the record. In the example below, readers of
 * a ticket do not render again when a watcher changes.
 *
 * @remarks The related records are retained as long as the record that refers to them. Components
 * read them by key: `useQuery(Ticket.schema.watchers, ticket.watchers)`.
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
  declare readonly $kind: 'lazy';
  readonly schema: S;

  static {
    setKind(this.prototype, 'lazy', { '~shape': (): LazyShape => new LazyKind() });
  }

  constructor(schema: S) {
    if (!schema) {
      throw new TypeError(
        isDevelopment ? '`new Lazy(schema)` needs the schema of the related records.' : 'Lazy',
      );
    }
    this.schema = schema;
  }
}

/** `compileKind` in `shape.ts` sets the field `member`. */
class LazyKind implements LazyShape {
  readonly kind = 'lazy';
  declare readonly member: Shape;

  normalize(
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown {
    return context.visit(context, this.member, input, parent, key, owner);
  }

  isStored(value: unknown): boolean {
    return isStoredForm(this.member, value);
  }

  walk(value: unknown, sink: References): void {
    if (sink.followsLazy) {
      sink.value(this.member, value);
    }
  }

  denormalize(value: unknown, reader: Reader, was: Previous): unknown {
    return typeof value === 'object' && value ? reader.keep(was.value, value) : value;
  }

  /** The first argument of a query is the stored value: the keys. */
  queryKey([keys]: readonly unknown[]): unknown {
    return keys;
  }
}

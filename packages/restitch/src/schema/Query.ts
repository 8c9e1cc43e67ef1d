import { isDevelopment } from '../errors/development.js';
import { CustomSchema } from './CustomSchema.js';
import type { Denormalize, Schema } from './Schema.js';

/**
 * A computed view of what another schema reads as: of a `Collection`, `All`, an entity, or the answer of an endpoint.
 *
 * @remarks `process` must be pure, and depend on what it is given alone: it runs again only when its input or the arguments
 * changed, and not at all where there is nothing to read. An array or object that comes out with the identical contents is
 * the one from before, and nobody is told.
 *
 * @example
 * ```ts
 * import { All, Controller, Entity, Query } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 *   done = false;
 * }
 *
 * const openTodos = new Query(new All(Todo), (todos, { limit }: { limit: number }) =>
 *   todos.filter((todo) => !todo.done).slice(0, limit),
 * );
 *
 * const first = new Controller().get(openTodos, { limit: 10 });
 * ```
 */
export class Query<S extends Schema, Args extends readonly unknown[], Value> extends CustomSchema<
  S,
  Value,
  Args
> {
  /** Makes what readers get of what the schema reads as. */
  readonly process: (value: Denormalize<S>, ...args: Args) => Value;

  constructor(schema: S, process: (value: Denormalize<S>, ...args: Args) => Value) {
    if (!schema || typeof process !== 'function') {
      throw new TypeError(
        isDevelopment
          ? '`new Query(schema, process)` needs a schema, and a function of what it reads as.'
          : 'Query',
      );
    }
    super(schema);
    this.process = process;
  }

  denormalize(value: Denormalize<S>, ...args: Args): Value {
    return this.process(value, ...args);
  }
}

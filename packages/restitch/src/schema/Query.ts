import { isDevelopment } from '../errors/development.js';
import { CustomSchema } from './CustomSchema.js';
import type { Denormalize, Schema } from './Schema.js';

/**
 * A value that a function computes from the value of a schema, such as a `Collection` or an entity
 * class.
 *
 * @remarks `process` must be pure, and depend only on its arguments. It runs again only after its
 * input or the arguments change. It does not run while the value of the schema is missing. If it
 * returns an array or object with the previous contents, readers keep the previous one and are not
 * notified.
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
  /** Computes the value for readers from the value of the schema. */
  readonly process: (value: Denormalize<S>, ...args: Args) => Value;

  constructor(schema: S, process: (value: Denormalize<S>, ...args: Args) => Value) {
    if (!schema || typeof process !== 'function') {
      throw new TypeError(
        isDevelopment
          ? '`new Query(schema, process)` needs a schema, and a function that receives its value.'
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

import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/RestitchError.js';
import type { EntityClass } from './Schema.js';

/**
 * The schema of a class is compiled at its first use, so other fields would have no effect later:
 * the assignment throws. A hot reload may assign the same fields again.
 */
export function fixSchema(entity: EntityClass, name: string): void {
  const schema = Object.freeze(entity.schema);
  Reflect.defineProperty(entity, 'schema', {
    configurable: true,
    get: () => schema,
    set(this: object, value: object) {
      if (this === entity) {
        if (String(Object.keys(value)) === String(Object.keys(schema))) {
          return;
        }
        throw misuse(
          'schema-in-use',
          isDevelopment
            ? `The schema of ${name} was set after the first use of the class, when it can no longer change. Set it in the module of the class, or in a module that is loaded before the first request.`
            : name,
        );
      }
      // Compilers for old targets assign the static fields of a subclass, which inherits this.
      Object.defineProperty(this, 'schema', { value, configurable: true, writable: true });
    },
  });
}

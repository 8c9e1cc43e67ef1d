/** Makes the entity classes of a program. */
import { Entity, type EntityClass } from 'restitch';
import { FIELDS, type ClassSpec } from './program.js';

/** A class, and what the rules say of it. */
export interface Declared {
  readonly label: string;
  readonly spec: ClassSpec;
  readonly entity: EntityClass<Entity>;
  /** Its table in the store: its explicit key, else the class itself (identity 1.1). */
  readonly table: string;
  /** The fields that it declares with a default (identity 4.2). */
  readonly fields: readonly string[];
}

const BASES = [
  () =>
    class extends Entity {
      id = '';
      group: string | undefined;
      title = '';
    },
  () =>
    class extends Entity {
      id = '';
      group: string | undefined;
      title = '';
      body = '';
    },
  () =>
    class extends Entity {
      id = '';
      group: string | undefined;
      title = '';
      body = '';
      extra = '';
    },
] as const;

export function declareClasses(specs: readonly ClassSpec[]): readonly Declared[] {
  return specs.map((spec, index) => {
    const key = `T${spec.table}`;
    const entity = BASES[spec.size]();
    Object.defineProperty(entity, 'name', { value: spec.name });
    if (spec.hasKey) Object.defineProperty(entity, 'key', { value: key });
    if (spec.isPartial) Object.defineProperty(entity, 'partial', { value: true });
    return {
      label: `class ${index}`,
      spec,
      entity,
      table: spec.hasKey ? key : `class ${index}`,
      fields: FIELDS[spec.size],
    };
  });
}

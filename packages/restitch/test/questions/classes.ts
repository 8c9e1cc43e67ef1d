/** Makes the entity classes of a program. */
import { Entity, type EntityClass } from 'restitch';
import type { Kit } from './kit.js';
import { FIELDS, type ClassSpec } from './program.js';
import type { Row } from './server.js';

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

/** The row that a vanishing class makes nothing of. */
const VANISHING = '2';

export function declareClasses(specs: readonly ClassSpec[], kit: Kit): readonly Declared[] {
  return specs.map((spec, index) => {
    const key = `T${spec.table}`;
    const entity = BASES[spec.size]();
    Object.defineProperty(entity, 'name', { value: spec.name });
    if (spec.hasKey) Object.defineProperty(entity, 'key', { value: key });
    if (spec.isPartial) Object.defineProperty(entity, 'partial', { value: true });
    behave(entity, spec);
    kit.finish(entity, spec);
    return {
      label: `class ${index}`,
      spec,
      entity,
      table: spec.hasKey ? key : `class ${index}`,
      fields: FIELDS[spec.size],
    };
  });
}

function behave(entity: EntityClass<Entity>, { trait, size }: ClassSpec): void {
  if (trait === 'vanishing') {
    const process = (input: { readonly id?: unknown } | null): unknown =>
      input?.id === VANISHING ? undefined : input;
    Object.defineProperty(entity, 'process', { value: process });
  } else if (trait === 'picky') {
    const validate = (row: Readonly<Record<string, unknown>>): string | undefined =>
      lacks(row, FIELDS[size]) ? 'a field is missing' : undefined;
    Object.defineProperty(entity, 'validate', { value: validate });
  } else if (trait === 'stubborn') {
    Object.defineProperty(entity, 'shouldUpdate', { value: () => false });
  }
}

const lacks = (row: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean =>
  fields.some((field) => row[field] === undefined || row[field] === '');

/** The rows of a response that its class takes; undefined where it refuses the whole response. */
export function readable(
  { spec, fields }: Declared,
  rows: readonly Row[],
): readonly Row[] | undefined {
  if (spec.trait === 'picky' && rows.some((row) => lacks(row, fields))) return undefined;
  return spec.trait === 'vanishing' ? rows.filter(({ id }) => id !== VANISHING) : rows;
}

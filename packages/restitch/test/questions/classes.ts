/** Makes the entity classes of a program. */
import { Entity, type EntityClass } from 'restitch';
import type { Kit } from './kit.js';
import type { Lists } from './lists.js';
import { FIELDS, type ClassSpec, type Nest, type Program } from './program.js';
import type { ListRead } from './questions.js';
import { PLAIN } from './routes.js';
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
  /** The class of the rows that its records hold. */
  readonly owned: Declared | undefined;
  readonly nest: Nest;
}

/**
 * The list of rows that a record holds: its own, or by `nestKey` that of the same arguments
 * elsewhere (identity 2.4). A user's has a home of its own (4.3).
 */
export function itemsRead(
  { nest, table }: Declared,
  owned: Declared,
  owner: string,
  user = '',
): ListRead {
  const isShared = nest === 'nestKey';
  const inRecords = isShared ? `nestKey ${owned.label}` : `${table} ${owned.table} items`;
  const place = isShared ? { owner } : {};
  return {
    type: 'list',
    cls: owned,
    home: user === '' ? inRecords : `${inRecords} ${user}`,
    inRecords,
    group: undefined,
    filter: `owner=${owner}`,
    space: PLAIN,
    ...place,
  };
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

/** A class whose records hold rows. */
const owner = (base: EntityClass<Entity>): EntityClass<Entity> =>
  class extends base {
    items: readonly unknown[] = [];
    friend: unknown;
  };

export function declareClasses(
  { classes, nest }: Program,
  lists: Lists,
  kit: Kit,
): readonly Declared[] {
  const declare = (spec: ClassSpec, index: number, owned?: Declared): Declared => {
    const base = BASES[spec.size]();
    const entity = owned ? owner(base) : base;
    const key = `T${spec.table}`;
    Object.defineProperty(entity, 'name', { value: spec.name });
    if (spec.hasKey) Object.defineProperty(entity, 'key', { value: key });
    if (spec.isPartial) Object.defineProperty(entity, 'partial', { value: true });
    behave(entity, spec);
    kit.finish(entity, spec);
    const label = `class ${index}`;
    const table = spec.hasKey ? key : label;
    const declared = { label, spec, entity, table, fields: FIELDS[spec.size], owned, nest };
    if (owned) {
      const value = { items: lists.items(owned, nest), friend: owned.entity };
      Object.defineProperty(entity, 'schema', { value });
    }
    return declared;
  };
  // Those of table 1 first: the others own them.
  const items = classes.map((spec, index) => (spec.table === 1 ? declare(spec, index) : undefined));
  const owned = nest === 'none' ? undefined : items.find((declared) => declared !== undefined);
  return classes.map((spec, index) => items[index] ?? declare(spec, index, owned));
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

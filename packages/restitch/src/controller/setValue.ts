import { setField } from '../schema/Entity.js';
import type { EntityShape, Shape } from '../schema/shape.js';
import { shapeOf } from '../schema/shape.js';
import { rowCell } from '../store/cells.js';
import { commit } from '../store/commit.js';
import { normalize } from '../store/normalize.js';
import { entityPk } from '../store/query.js';
import type { Lifetime } from '../store/results.js';
import type { Fields, Store } from '../store/state.js';
import { confirmLocal, writeLocal } from '../store/transaction.js';
import type { SetAction } from './actions.js';

/** Writes a value, or a function of the stored fields, to what a schema and arguments name. */
export function setValue(
  store: Store,
  { schema, args, value }: SetAction,
  lifetime: Lifetime,
): void {
  const shape = shapeOf(schema);
  if (typeof value === 'function') {
    // The action's type cannot say that a function is an updater.
    updateRow(store, shape, args, value as (current: object | undefined) => unknown);
    return;
  }
  const [first] = args;
  const named = shape.kind === 'entity' && typeof first === 'object' ? first : undefined;
  // The arguments name the row, so the value need not repeat its key.
  const input = named && typeof value === 'object' ? { ...named, ...value } : value;
  const source = `controller.set(${describe(shape)})`;
  const answer = normalize(shape, input, { source, args, copy: true });
  commit(store, () => confirmLocal(store, answer, lifetime.expiresAt));
}

function updateRow(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  updater: (current: object | undefined) => unknown,
): void {
  const pk = shape.kind === 'entity' ? entityPk(shape, args) : undefined;
  if (shape.kind !== 'entity' || pk === undefined) {
    throw new TypeError(
      `controller.set with a function needs an entity class and arguments that name one row; got ${describe(shape)}.`,
    );
  }
  const update = (fields: Fields | undefined): Fields | undefined =>
    updatedFields(shape, pk, fields, updater);
  commit(store, () =>
    writeLocal(store, rowCell(store, shape.key, pk), { type: 'update', shape, update }),
  );
}

/** Runs an updater on the stored fields; relations that it replaced are turned into keys. */
function updatedFields(
  shape: EntityShape,
  pk: string,
  fields: Fields | undefined,
  updater: (current: object | undefined) => unknown,
): Fields | undefined {
  const next = updater(fields && storedInstance(shape, fields));
  if (typeof next !== 'object' || next === null) {
    return undefined;
  }
  const result: Record<string, unknown> = { ...next };
  for (const [field, part] of shape.relations) {
    if (Object.hasOwn(result, field) && result[field] !== fields?.[field]) {
      const source = `controller.set(${shape.key} ${pk})`;
      setField(
        result,
        field,
        normalize(part, result[field], { source, args: [], copy: true }).root,
      );
    }
  }
  return result;
}

/** The stored fields with the class's getters and methods, but without its defaults: they would be stored as data. */
function storedInstance({ entity }: EntityShape, fields: Fields): object {
  const instance: object = Object.create(entity.prototype);
  for (const key of Object.keys(fields)) {
    setField(instance, key, fields[key]);
  }
  return instance;
}

function describe(shape: Shape): string {
  return shape.kind === 'entity' ? shape.key : shape.kind;
}

import { SchemaError } from '../errors/SchemaError.js';
import { isRecordShape } from '../schema/shape.js';
import { isDevelopment } from '../errors/development.js';
import type { EntityShape, Shape, UnionShape } from '../schema/shapes.js';
import { usedShape } from '../schema/usedShape.js';
import { rowCell } from '../store/cells/tables.js';
import { commit } from '../store/journal/commit.js';
import { isFields } from '../store/journal/applyPatch.js';
import { normalize } from '../store/normalize/normalize.js';
import { instanceOf } from '../schema/customPk.js';
import type { NormalizedResponse, NormalizeOptions } from '../store/normalize/Normalized.js';
import { fieldsWhere } from '../schema/same.js';
import { classOf } from '../store/normalize/withSentFields.js';
import { toRaw } from '../store/views/rawValues.js';
import { entityPk, findCell, givenValue, isPresent } from '../store/views/queries.js';
import { isObject } from '../store/cells/plainValues.js';
import { otherRow } from '../store/normalize/normalizeErrors.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Cell, Fields } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { confirmLocal, writeLocal } from '../store/journal/transactions.js';
import type { SetAction } from './actions.js';
import type { Core } from './Core.js';
import { lifetimeOf } from './lifetimes.js';

export function setValue(core: Core, { schema, args, value }: SetAction): void {
  const { store } = core;
  const lifetime = lifetimeOf(core);
  const given = usedShape(schema);
  const source = `controller.set(${describe(given)})`;
  const shape =
    given.kind === 'union' && isObject(value) && !Array.isArray(value)
      ? classNamed(store, given, args, value, source)
      : given;
  const options = {
    ...givenValue(store, source, args),
    isWrite: true,
  };
  if (value == null) {
    throw new TypeError(
      isDevelopment
        ? `${options.source}: ${String(value)} is no value. To delete a record, set \`new Invalidate(…)\`. To fetch it again, invalidate its endpoint.`
        : options.source,
    );
  }
  if (typeof value === 'function') {
    updateRow(store, shape, options, value as Updater, lifetime);
    return;
  }
  const isRow = shape.kind === 'entity' && isObject(value);
  const input = isRow ? { ...namedFields(shape, args), ...toRaw(value, [value]) } : value;
  const normalized = givenRow(store, shape, input, options);
  commit(store, () => confirmLocal(store, normalized, lifetime));
}

/** If the fields determine no class of the union, the stored record with this key determines it. */
function classNamed(
  store: Store,
  union: UnionShape,
  [first]: readonly unknown[],
  value: object,
  source: string,
): EntityShape {
  const named = isObject(first) ? { ...first, ...value } : value;
  const found = new Set<Cell>();
  for (const { entity } of union.entities(named)) {
    const one = findCell(store, entity, entityPk(entity, [isObject(first) ? named : first]));
    if (isPresent(one)) {
      found.add(one);
    }
  }
  const [cell, another] = found;
  const { entity } = classOf(union, another ? undefined : cell?.current, named);
  if (!entity) {
    throw new SchemaError(
      'unexpected-shape',
      isDevelopment
        ? `${source}: the fields select no class of the union, and ${another ? 'several classes have' : 'no class has'} a stored record with this key. Add the field that selects the class, or pass the class instead of the union.`
        : source,
    );
  }
  return entity;
}

function givenRow(
  store: Store,
  shape: Shape,
  input: unknown,
  options: NormalizeOptions,
): NormalizedResponse {
  const normalized = normalize(shape, input, options);
  const [row] = normalized.rows;
  if (row && isRecordShape(shape)) {
    const [first] = options.args;
    // The value may contain a part of the key that the arguments omit.
    const named = isObject(first) ? { ...Object(input), ...first } : first;
    const pk = entityPk(row.shape, [named]) ?? row.pk;
    // The cells are compared, because a created row has a temporary and a real key.
    if (rowCell(store, row.shape, pk) !== rowCell(store, row.shape, row.pk)) {
      throw otherRow(options.source, row.shape, row.pk, pk);
    }
  }
  return normalized;
}

type Updater = (current: object | undefined) => unknown;

function updateRow(
  store: Store,
  shape: Shape,
  options: NormalizeOptions,
  updater: Updater,
  lifetime: Lifetime,
): void {
  const pk = shape.kind === 'entity' ? entityPk(shape, options.args) : undefined;
  if (shape.kind !== 'entity' || pk === undefined) {
    throw new TypeError(
      isDevelopment
        ? `controller.set with a function needs an entity class and arguments that name one row; got ${describe(shape)}.`
        : options.source,
    );
  }
  const cell = rowCell(store, shape, pk);
  const run = (fields: Fields | undefined): NormalizedResponse | undefined => {
    const instance = fields && instanceOf(shape, fields);
    const before: object = { ...instance };
    const next = updater(instance);
    if (isObject(next) && typeof next['then'] === 'function') {
      throw new TypeError(
        isDevelopment ? `${options.source}: the function must not be async.` : options.source,
      );
    }
    if (!isObject(next)) {
      return undefined;
    }
    // `{ ...user, name }` also copies the defaults of the class, which the store must not keep.
    const given = fieldsWhere(
      next,
      (key, value) => Object.hasOwn(fields ?? next, key) || value !== Reflect.get(before, key),
    );
    return givenRow(store, shape, { ...namedFields(shape, options.args), ...given }, options);
  };
  const first = run(isFields(cell.current) ? cell.current : undefined);
  const update = (fields: Fields | undefined): Fields | undefined =>
    run(fields)?.rows[0]?.fields ?? undefined;
  commit(store, () => {
    if (first) {
      // Nested rows are written once; the row itself is computed again when older data arrives.
      confirmLocal(store, { ...first, rows: first.rows.slice(1) }, undefined);
      writeLocal(store, cell, { type: 'update', shape, update }, lifetime);
    }
  });
}

/** The value need not repeat fields of the arguments, such as the key. */
function namedFields(shape: EntityShape, [first]: readonly unknown[]): object {
  if (isObject(first)) {
    return first;
  }
  return shape.custom.pk ? {} : { id: first };
}

function describe(shape: Shape): string {
  return shape.kind === 'entity' ? shape.name : shape.kind;
}

import { SchemaError } from '../errors/SchemaError.js';
import { customPk } from '../schema/customPk.js';
import { keyReading } from '../schema/keyFields.js';
import type { Normalizer } from '../schema/KindMethods.js';
import { pkText } from '../schema/referenceText.js';
import { isObject, own } from '../schema/same.js';
import type { EntityShape, Shape } from '../schema/shapes.js';

export interface RecordKey {
  readonly table: string;
  readonly pk: string;
}

interface Walk extends Normalizer {
  readonly keys: Map<unknown, RecordKey>;
  readonly records: ReadonlySet<unknown>;
  /** True inside a custom schema, which can replace records by other objects. */
  isCustom: boolean;
  isCopied: boolean;
}

/**
 * Returns the primary keys of `records` in a response, as the store will compute them. Records
 * without a class have none. Neither have records whose class throws: the store throws, too.
 *
 * Returns undefined if a custom schema copies records with relations.
 */
export function recordKeys(
  shape: Shape,
  response: unknown,
  args: readonly unknown[],
  records: ReadonlySet<unknown>,
): ReadonlyMap<unknown, RecordKey> | undefined {
  const walk: Walk = {
    keys: new Map(),
    records,
    isCustom: false,
    isCopied: false,
    options: { source: '', args },
    visit: (_, inner, input, parent, key) => visit(walk, inner, input, parent, key),
    row: (_, entity, input, parent, key) =>
      attempt(() => noteKey(walk, entity, input, parent, key)),
    guarded: (_, __, ___, ____, run) => run(),
    wrongShape: () => new SchemaError('unexpected-shape', ''),
  };
  attempt(() => visit(walk, shape, response));
  return walk.isCopied ? undefined : walk.keys;
}

function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // The store calls the same methods, and reports their error.
  }
}

function visit(walk: Walk, shape: Shape, input: unknown, parent?: unknown, key?: string): void {
  if (!isObject(input)) {
    return;
  }
  switch (shape.kind) {
    case 'entity':
      walk.row(walk, shape, input, parent, key, false);
      break;
    case 'union':
      attempt(() => void shape.normalize(walk, input, parent, key, false));
      break;
    case 'array':
    case 'collection':
      for (const item of Array.isArray(input) ? input : []) {
        visit(walk, shape.member, item, parent ?? input, key);
      }
      break;
    case 'object':
      for (const [field, part] of shape.fields) {
        visit(walk, part, own(input, field), input, field);
      }
      break;
    case 'custom':
      walk.isCustom = true;
      shape.normalize(walk, input, parent, key, undefined);
      break;
    default:
  }
}

function noteKey(
  walk: Walk,
  shape: EntityShape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
): void {
  const { entity, table, custom, related } = shape;
  const { args } = walk.options;
  if (!walk.records.has(input)) {
    walk.isCopied ||= walk.isCustom && related.length > 0;
    return;
  }
  const record = custom.process ? entity.process(input, parent, key, args) : input;
  if (!isObject(record)) {
    return;
  }
  const pk = custom.pk
    ? customPk(shape, keyReading.read(entity, record), args, parent, key)
    : pkText(own(record, 'id'));
  if (pk !== undefined) {
    walk.keys.set(input, { table, pk });
  }
}

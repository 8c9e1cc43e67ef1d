import { isRecordShape } from '../../schema/shape.js';
import { currentConfirmed } from '../journal/fold.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import { NO_FIELDS } from '../cells/results.js';
import { rowTable } from '../cells/tables.js';
import { collect, partsOf } from './walkReferences.js';
import { readableFields } from './foreignFields.js';
import { isFields } from '../journal/applyPatch.js';
import { isTemporaryKey } from '../cells/keys.js';
import { nodeList } from './nodes.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { isObject, own } from '../cells/plainValues.js';
import type { Cell, Fields, Stored } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

export interface Missing {
  readonly fields: readonly string[];
  readonly isPartial: boolean;
}

type ReadCell = (cell: Cell) => Stored;

/**
 * Returns the declared fields that the records of a value lack. Fields in `leftOut` are not
 * missing: another request would omit them again. Without `leftOut`, no declared field is missing.
 */
export function missingFields(
  store: Store,
  shape: Shape,
  value: unknown,
  leftOut: readonly string[] | undefined,
  readCell: ReadCell = (cell) => readConfirmed(store, cell),
): Missing | undefined {
  const fields: string[] = [];
  let isPartial = true;
  for (const { shape: one, cell } of records(store, shape, value)) {
    const record = one.kind === 'entity' && readableFields(store, cell, one, readCell(cell));
    // A row that exists only in this store has no further fields on the server.
    const isReal = !isTemporaryKey(cell.pk);
    if (record && isFields(record) && isReal) {
      const lacking = lackingFields(store, one, record, readCell);
      const missing = lacking.filter((field) => leftOut?.includes(field) === false);
      fields.push(...missing);
      isPartial &&= missing.length === 0 || one.entity.partial;
    }
  }
  return fields.length > 0 ? { fields, isPartial } : undefined;
}

/** A pending mutation can set a relation to an unknown row, which must not cause a request. */
function readConfirmed(store: Store, cell: Cell): Stored {
  const confirmed = currentConfirmed(store, cell);
  return isObject(confirmed) ? confirmed : cell.current;
}

/** Returns the declared fields that a response lacks, even if the store has them. */
export function leftOutBy(
  store: Store,
  shape: Shape,
  { root, rows }: NormalizedResponse,
): readonly string[] {
  const cells = new Set(Array.from(records(store, shape, root), ({ cell }) => cell));
  const readResponse: ReadCell = (cell) => {
    if (!cells.has(cell)) {
      return cell.current;
    }
    const parts = rows.filter(
      (row) => row.pk === cell.pk && rowTable(store, row.shape).cells.get(row.pk) === cell,
    );
    return Object.assign({}, ...parts.map(({ fields }) => fields));
  };
  return missingFields(store, shape, root, NO_FIELDS, readResponse)?.fields ?? NO_FIELDS;
}

/** Relations to unknown rows count as missing, relations to deleted rows do not. */
function lackingFields(
  store: Store,
  shape: EntityShape,
  record: Fields,
  readCell: ReadCell,
): string[] {
  return Object.entries(shape.defaults()).flatMap(([field, value]) => {
    const held = own(record, field);
    const part = shape.relations.get(field);
    // A class that does not declare the list stores it as an array. Creates and deletes would not
    // change this array, so the list counts as missing.
    const isCopy = part?.kind === 'collection' && Array.isArray(held);
    const isLacking =
      held === undefined ||
      isCopy ||
      (part && collect(store, part, held).some(({ cell }) => readCell(cell) === undefined));
    const isDeclared = value !== undefined && typeof value !== 'function';
    return isDeclared && isLacking ? [`${shape.name}.${field}`] : [];
  });
}

function* records(store: Store, shape: Shape, value: unknown): Iterable<CellNode> {
  for (const [part, reference] of partsOf(shape, value)) {
    for (const node of isRecordShape(part) ? collect(store, part, reference) : []) {
      // An index can have several records for one value; readers receive the last one.
      const record = node.shape.kind === 'entity' ? node : nodeList(node.links).at(-1);
      if (record) {
        yield record;
      }
    }
  }
}

import { isRecordShape } from '../../schema/shape.js';
import { currentConfirmed } from '../journal/fold.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import { contentOf, NO_FIELDS } from '../cells/results.js';
import type { Result } from '../cells/Result.js';
import { rowTable } from '../cells/tables.js';
import { collect, partsOf } from './walkReferences.js';
import { rawFields, readableFields } from './foreignFields.js';
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
 * Returns the declared fields that the records of a result lack. A field that the response omitted
 * is not missing: another request would omit it again.
 *
 * @param isShown True if a mounted reader shows the data. A list then stays readable when a row is
 * added that is a summary.
 */
export function missingFields(
  store: Store,
  result: Result,
  isShown = false,
  readCell: ReadCell = (cell) => readConfirmed(store, cell),
): Missing | undefined {
  const { shape, status } = result;
  const value = contentOf(result);
  const find = (leftOut: readonly string[]): Missing | undefined =>
    missingIn(store, records(store, shape, value), leftOut, readCell);
  // Hydrated results have no list of omitted fields.
  const leftOut = (result.leftOut ??= find(NO_FIELDS)?.fields ?? NO_FIELDS);
  const missing = find(status === 'value' ? leftOut : NO_FIELDS);
  if (missing || status !== 'none') {
    return missing;
  }
  // Before the first response, other data contains the list. Its rows can be unknown or summaries.
  const rows = isShown ? [] : members(store, shape, value);
  return missingIn(store, rows, NO_FIELDS, readCell, {}) ?? store.hydrated?.findLost(result);
}

/** True if another, later response replaced the list by one with rows that are not stored. */
export function lacksRows(store: Store, result: Result): boolean {
  const lists = result.status === 'value' ? listsOf(store, result.shape, contentOf(result)) : [];
  return [...lists].some(
    ({ cell, links }) =>
      (cell.lifetime.tick ?? 0) > result.start &&
      nodeList(links).some((row) => row.cell.current === undefined),
  );
}

function missingIn(
  store: Store,
  nodes: Iterable<CellNode>,
  leftOut: readonly string[],
  readCell: ReadCell,
  ifUnknown?: Fields,
): Missing | undefined {
  const fields: string[] = [];
  let isPartial = true;
  for (const { shape, cell } of nodes) {
    // A row that exists only in this store has no further fields on the server.
    if (shape.kind === 'entity' && !isTemporaryKey(cell.pk)) {
      const given = readCell(cell);
      const stored = readableFields(store, cell, shape, given);
      const record = stored === undefined ? ifUnknown : stored;
      const lacking = isFields(record) ? lackingFields(store, shape, record, readCell) : [];
      for (const field of isFields(record) ? rawFields(cell, shape, given) : []) {
        lacking.push(`${shape.name}.${field}`);
      }
      const missing = lacking.filter((field) => !leftOut.includes(field));
      fields.push(...missing);
      isPartial &&= missing.length === 0 || shape.entity.partial;
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
  const nodes = records(store, shape, root);
  return missingIn(store, nodes, NO_FIELDS, readResponse)?.fields ?? NO_FIELDS;
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

function* members(store: Store, shape: Shape, value: unknown): Iterable<CellNode> {
  for (const list of listsOf(store, shape, value)) {
    yield* nodeList(list.links);
  }
}

function* listsOf(store: Store, shape: Shape, value: unknown): Iterable<CellNode> {
  for (const [part, reference] of partsOf(shape, value)) {
    yield* part.kind === 'collection' ? collect(store, part, reference) : [];
  }
}

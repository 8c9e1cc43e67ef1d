import { isDevelopment } from '../../errors/development.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import { rowTable } from '../cells/tables.js';
import { collect } from './references.js';
import { isFields } from '../journal/fold.js';
import { isTemporaryKey } from '../cells/keys.js';
import { nodeList } from './nodes.js';
import type { NormalizedResponse } from '../normalize/Normalized.js';
import { isObject, own } from '../cells/plainValues.js';
import type { Cell, Fields, Stored } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/** What the records of a result lack of what their classes declare. */
export interface Missing {
  readonly fields: readonly string[];
  /** Their classes ask to be shown all the same. */
  readonly isPartial: boolean;
}

type Shown = (cell: Cell) => Stored;

/** Of a response that left out nothing. */
export const NO_FIELDS: readonly string[] = [];

const shownNow: Shown = ({ shown }) => shown;

/**
 * The fields that the records of a normalized value lack, other than those that the response itself left out; undefined
 * where they lack none, or it is not known what was left out. Members of lists do not count.
 */
export function missingFields(
  store: Store,
  shape: Shape,
  value: unknown,
  leftOut: readonly string[] | undefined,
  shown: Shown = shownNow,
): Missing | undefined {
  const fields: string[] = [];
  let isPartial = true;
  for (const { shape: one, cell } of records(store, shape, value)) {
    const record = shown(cell);
    // No server has more of a record that was only created here.
    const isReal = !isTemporaryKey(store, cell.pk);
    if (one.kind === 'entity' && isFields(record) && isReal) {
      const lacking = lackingFields(store, one, record, shown);
      const missing = lacking.filter((field) => leftOut?.includes(field) === false);
      if (cell.lifetime.isIncomplete) {
        missing.push(isDevelopment ? 'a value that JSON cannot carry' : '?');
      }
      fields.push(...missing);
      isPartial &&= missing.length === 0 || one.entity.partial;
    }
  }
  return fields.length > 0 ? { fields, isPartial } : undefined;
}

/** The declared fields that a response leaves out of its records, whatever is stored of them. */
export function leftOutBy(
  store: Store,
  shape: Shape,
  { root, rows }: NormalizedResponse,
): readonly string[] {
  const cells = new Set(Array.from(records(store, shape, root), ({ cell }) => cell));
  const said: Shown = (cell) => {
    if (!cells.has(cell)) {
      return cell.shown;
    }
    const parts = rows.filter(
      (row) => row.pk === cell.pk && rowTable(store, row.shape).cells.get(row.pk) === cell,
    );
    return Object.assign({}, ...parts.map(({ fields }) => fields));
  };
  return missingFields(store, shape, root, NO_FIELDS, said)?.fields ?? NO_FIELDS;
}

/**
 * The fields that a class declares with a default and that a record lacks: the default would pass for data. A relation to
 * something of which nothing is known is lacking, too; that it was deleted is known. No response holds a function.
 */
function lackingFields(store: Store, shape: EntityShape, record: Fields, shown: Shown): string[] {
  return Object.entries(shape.defaults()).flatMap(([field, value]) => {
    const held = own(record, field);
    const part = shape.relations.get(field);
    const isLacking =
      held === undefined ||
      (part && nodeList(collect(store, part, held)).some(({ cell }) => shown(cell) === undefined));
    const isDeclared = value !== undefined && typeof value !== 'function';
    return isDeclared && isLacking ? [`${shape.name}.${field}`] : [];
  });
}

/** The nodes of the records that a value names by itself, or in fields of an object. */
function* records(store: Store, shape: Shape, value: unknown): Iterable<CellNode> {
  if (shape.kind === 'custom') {
    yield* records(store, shape.member, value);
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const [field, part] of shape.fields) {
      yield* records(store, part, own(value, field));
    }
  } else if (shape.kind === 'entity' || shape.kind === 'union') {
    for (const node of nodeList(collect(store, shape, value))) {
      // Of the records with an indexed value the last one is shown.
      const record = node.shape.kind === 'entity' ? node : nodeList(node.links).at(-1);
      if (record) {
        yield record;
      }
    }
  }
}

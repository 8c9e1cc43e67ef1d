import { isRecordShape } from '../../schema/shape.js';
import { freeze } from '../cells/freeze.js';
import { isListing } from '../lists/members.js';
import { keepItems } from './denormalize.js';
import { dirtyLinks, isOpen, isRoot, nodeList } from './nodes.js';
import type { CellNode, Node } from './Node.js';

/** Optimization: if no rows were added or removed, replaces only the items of changed rows. */
export function patchItems(node: Node): unknown {
  const { value: before } = node;
  const links = nodeList(node.links);
  const dirty = dirtyLinks(node);
  // True if each item is the row of the link with the same index: none is null, missing or plain.
  // In a union, a changed row can have changed its class, so that its instance is of another node.
  const isUnion = 'member' in node.shape && node.shape.member.kind === 'union';
  const isAligned =
    Array.isArray(before) &&
    before.length === links.length &&
    itemsOf(node)?.length === links.length;
  if (
    !isAligned ||
    dirty.some(
      (child) => child.value === undefined || isOpen(child) || (isUnion && hasOthers(child)),
    )
  ) {
    return undefined;
  }
  if (dirty.length > FEW) {
    return keepItems(
      before,
      links.map(({ value }) => value),
    );
  }
  let next: unknown[] | undefined;
  for (const child of dirty) {
    // The cast: links of a list are the nodes of cells, and `indexOf` only compares.
    const row = child as CellNode;
    // A plain array can contain a row twice.
    for (let slot = links.indexOf(row); slot >= 0; slot = links.indexOf(row, slot + 1)) {
      next ??= [...before];
      next[slot] = row.value;
    }
  }
  return next ? freeze(next) : before;
}

const FEW = 8;

function hasOthers(node: Node): boolean {
  const { table } = isRoot(node) ? {} : node.cell;
  return table?.kind === 'rows' && table.shapes.length > 1;
}

/** Undefined unless each item is a row. The item `{ user: 'user 1' }` only contains a row. */
function itemsOf(node: Node): readonly unknown[] | undefined {
  if (isRoot(node)) {
    const { shape } = node;
    const items = shape.kind === 'array' && isRecordShape(shape.member) && node.current();
    return Array.isArray(items) ? items : undefined;
  }
  const { current } = node.cell;
  return node.shape.kind !== 'entity' && isListing(current) && !current.keys
    ? current.members
    : undefined;
}

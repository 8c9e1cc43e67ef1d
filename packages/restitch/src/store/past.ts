import { type History, type HeldMoment, recordAt } from './history.js';
import { type Built, readThrough } from './lens.js';
import { readNode } from './rebuild.js';
import type { CellNode, Root, Store, Stored } from './state.js';
import { UNBUILT } from './state.js';

/** Says that nothing was known at the moment of something that is known now. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/**
 * Reads a normalized value as it was at a moment; `UNKNOWN` where it holds a row or list that was not known then. What did
 * not change since is the identical object.
 */
export function readAt(
  store: Store,
  history: History,
  moment: HeldMoment,
  { shape, args, current }: Root,
): unknown {
  let isUnknown = false;
  const value = readThrough(store, shape, current(), {
    seen: moment.seen,
    args,
    goneIn: store.tick,
    shown: (cell) => {
      const before = recordAt(history, cell, moment);
      // The cast: of a cell what it showed is recorded.
      return before ? (before.value as Stored) : cell.shown;
    },
    clear: (node) => {
      const before = recordAt(history, node, moment);
      // The cast: of a node what it gave is recorded.
      return before ? (before.value as Built) : standing(node, moment);
    },
    tooDeep: () => {
      isUnknown = true;
    },
    done: (node, standIn) => {
      isUnknown ||= standIn.cell.shown === undefined && node.cell.shown !== undefined;
      // A selection that was made since holds what is there now.
      isUnknown ||= node.cell.table.kind === 'selection' && !recordAt(history, node.cell, moment);
      const present = readNode(store, node);
      const isSame =
        standIn.cell.shown === node.cell.shown &&
        standIn.links.every((link, index) => link.value === node.links[index]?.value);
      if (isSame) {
        standIn.value = present;
        standIn.goneIn = node.goneIn;
      }
    },
  });
  return isUnknown ? UNKNOWN : value;
}

/** A node that was built before the moment passed and was not marked since. */
function standing(node: CellNode, { rebuild }: HeldMoment): Built | undefined {
  return node.source !== UNBUILT && !node.stale && node.changedIn <= rebuild ? node : undefined;
}

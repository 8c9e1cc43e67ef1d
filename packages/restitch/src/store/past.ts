import { goneIn, setGone } from './gone.js';
import { type History, type HeldMoment, recordAt } from './history.js';
import { type Built, readThrough } from './lens.js';
import { isStale, nodeAt, nodeList } from './nodes.js';
import { readNode } from './rebuild.js';
import { equal } from './record.js';
import { membersBy } from './selections.js';
import type { Cell, CellNode, Root, Store, Stored } from './state.js';
import { UNBUILT } from './state.js';

/** What was read. */
export interface PastValue {
  readonly value: unknown;
  /** It holds a row or list that was not known then and is known now. */
  readonly isUnknown: boolean;
}

/** What a cell showed at a moment. */
export function shownAt(history: History, moment: HeldMoment, cell: Cell): Stored {
  const before = recordAt(history, cell, moment);
  // The cast: of a cell what it showed is recorded.
  return before ? (before.value as Stored) : cell.shown;
}

/**
 * Reads a normalized value as it was at a moment. What did not change since is the identical object. `looksUp`: what nobody
 * had selected then is selected now, out of all the rows that were there.
 */
export function readPast(
  store: Store,
  history: History,
  moment: HeldMoment,
  { shape, args, current }: Root,
  looksUp = false,
): PastValue {
  let isUnknown = false;
  const shown = (cell: Cell): Stored => {
    if (looksUp && cell.table.kind === 'selection' && !recordAt(history, cell, moment)) {
      const members = membersBy(cell, shown);
      return equal(members, cell.shown) ? cell.shown : members;
    }
    return shownAt(history, moment, cell);
  };
  const value = readThrough(store, shape, current(), {
    seen: moment.seen,
    args,
    goneIn: store.tick,
    shown,
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
        nodeList(standIn.links).every(
          (link, index) => link.value === nodeAt(node.links, index)?.value,
        );
      if (isSame) {
        standIn.value = present;
        setGone(standIn, goneIn(node));
      }
    },
  });
  return { value, isUnknown };
}

/** A node that was built before the moment passed and was not marked since. */
function standing(node: CellNode, { rebuild }: HeldMoment): Built | undefined {
  const isStanding = node.source !== UNBUILT && !isStale(node) && node.builtIn <= rebuild;
  return isStanding ? { value: node.value, gone: goneIn(node) } : undefined;
}

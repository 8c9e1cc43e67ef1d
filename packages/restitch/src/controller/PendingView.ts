import { watchFailedAttempts } from '../errors/failedAttempts.js';
import type { Entity } from '../schema/Entity.js';
import { ownText } from '../schema/identityText.js';
import type { Cell } from '../store/cells/Cell.js';
import { markTouched, notify } from '../store/journal/commit.js';
import { isRoot, nodeAt, nodeList, parentsOf, relink } from '../store/views/nodes.js';
import type { Root } from '../store/views/Node.js';
import { collect } from '../store/views/walkReferences.js';
import type { Controller } from './Controller.js';
import type { Core } from './Core.js';
import { internalsOf } from './internals.js';
import { LiveView } from './LiveView.js';
import { observe } from './observeChanges.js';
import { rowOfRecord, NONE_PENDING, type Pending, pendingIn } from './pending.js';
import type { View, ViewSnapshot } from './View.js';

const IDLE = Object.freeze({ status: 'ready', data: NONE_PENDING, stale: false });

/** A mutation that leaves the value of the row unchanged notifies listeners too (see `follow`). */
class PendingView extends LiveView<readonly Pending[]> {
  override subscribe(listener: () => void): () => void {
    const stop = super.subscribe(listener);
    const leave = join(this.core);
    return () => {
      stop();
      leave();
    };
  }

  /** A server-rendered page shows no pending mutations. */
  override getServerSnapshot(): ViewSnapshot<readonly Pending[]> {
    return IDLE;
  }

  protected override read(): readonly Pending[] {
    const { store, root } = this;
    markTouched(store);
    relink(root, collect(store, root.shape, root.current()));
    own.add(root);
    const node = nodeAt(root.links, 0);
    return node ? pendingIn(this.core, node.cell) : NONE_PENDING;
  }
}

export function pendingView(controller: Controller, record: Entity): View<readonly Pending[]> {
  const core = internalsOf(controller);
  const { shape, pk } = rowOfRecord(record);
  const key = `pending ${ownText(shape.entity)} ${pk}`;
  core.start();
  // The cast: only this function stores views under keys that start with `pending`.
  return core.views.share(
    key,
    () => new PendingView(core, key, shape, [], () => pk),
  ) as PendingView;
}

const own = new WeakSet<Root>();

const joined = new WeakMap<Core, { count: number; readonly stop: () => void }>();

function join(core: Core): () => void {
  const counter = joined.get(core) ?? { count: 0, stop: follow(core) };
  joined.set(core, counter);
  counter.count += 1;
  return () => {
    counter.count -= 1;
    if (counter.count === 0) {
      joined.delete(core);
      counter.stop();
    }
  };
}

function follow(core: Core): () => void {
  const note = (cells: Iterable<Cell>): void => {
    for (const { nodes } of cells) {
      for (const node of nodeList(nodes)) {
        for (const parent of parentsOf(node)) {
          if (isRoot(parent) && own.has(parent)) {
            core.store.notify.add(parent);
          }
        }
      }
    }
  };
  const ends = [
    observe(core, (_, { cells }) => {
      note(cells.keys());
      return undefined;
    }),
    watchFailedAttempts((signal) => {
      const flight = [...core.mutations].find(({ abort }) => abort.signal === signal);
      note(flight?.transaction?.cells ?? []);
      notify(core.store);
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** One subscriber of a view, with the count of its notifications. */
import type { View, ViewSnapshot } from 'restitch';
import type { ViewName } from './program.js';

export class Subscriber {
  readonly name: ViewName;
  readonly view: View<unknown>;
  /** Whether it reads when notified, as a rendering does. */
  readonly reads: boolean;
  /** Notifications since `restart`. */
  count = 0;
  /** What it read when it was last notified since `restart`. */
  notified: ViewSnapshot<unknown> | undefined;
  /** What it last read. */
  known: ViewSnapshot<unknown>;
  /** The content at the end of the last step, by the model. */
  content: string | undefined;
  /** As `content`, with what lies behind. */
  stored: string | undefined;
  readonly stop: () => void;

  constructor(
    name: ViewName,
    view: View<unknown>,
    reads: boolean,
    content: string | undefined,
    stored: string | undefined,
  ) {
    this.name = name;
    this.view = view;
    this.reads = reads;
    this.content = content;
    this.stored = stored;
    this.known = view.getSnapshot();
    this.stop = view.subscribe(() => {
      this.count++;
      if (reads) this.notified = view.getSnapshot();
    });
  }

  restart(): void {
    this.count = 0;
    this.notified = undefined;
  }
}

/** What the snapshot shows, or undefined. */
export function dataOf(snapshot: ViewSnapshot<unknown>): unknown {
  return snapshot.status === 'ready' ? snapshot.data : undefined;
}

/** Whether two snapshots differ in something besides their data (stale or not, deleted or not): subscribers may be notified of that too. */
export function differInState(a: ViewSnapshot<unknown>, b: ViewSnapshot<unknown>): boolean {
  const before = new Map<string, unknown>(Object.entries(a));
  const after = new Map<string, unknown>(Object.entries(b));
  return [...before.keys(), ...after.keys()].some(
    (key) => key !== 'data' && !Object.is(before.get(key), after.get(key)),
  );
}

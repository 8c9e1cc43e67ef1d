import type { EndpointInterface, TrackedPromise, View, ViewSnapshot } from '../index.js';
import { absent } from './valueWithoutData.js';
import type { Interest } from './cancelling.js';
import { dataOf, stays } from './readerModes.js';
import { isSameQuestion, type Source } from './useView.js';

export interface Part {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly view: View<unknown> | undefined;
  readonly interest: Interest | undefined;
}

type Snapshots = readonly (ViewSnapshot<unknown> | undefined)[];

/** Ready when all parts are ready. The array of the data stays the same while no data changes. */
export class JoinedView implements Source<readonly unknown[]> {
  parts: readonly Part[];
  #snapshots: Snapshots = [];
  #joined: ViewSnapshot<readonly unknown[]> | undefined;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  /** Returns false for other calls. Requests are sent with the options of the newest copies. */
  renew(parts: readonly Part[]): boolean {
    const { length } = this.parts;
    const isSame =
      parts.length === length &&
      parts.every(({ view, interest }, index) => {
        const part = this.parts[index];
        return isSameQuestion(part?.view, view) && part?.interest === interest;
      });
    this.parts = isSame ? parts : this.parts;
    return isSame;
  }

  getSnapshot(): ViewSnapshot<readonly unknown[]> {
    const snapshots = this.#each((view) => view.getSnapshot()).map((now, index) => {
      const before = this.#snapshots[index];
      return before && now && stays(before, now) ? before : now;
    });
    this.#snapshots = snapshots;
    return (this.#joined = join(snapshots, this.#joined));
  }

  getServerSnapshot(isSending?: boolean): ViewSnapshot<readonly unknown[]> {
    const snapshots = this.#each((view) => view.getServerSnapshot(isSending));
    return join(snapshots, this.#joined);
  }

  subscribe(listener: () => void): () => void {
    return all(this.parts.map(({ view }) => view?.subscribe(listener)));
  }

  needsLoad(mounted?: boolean): boolean {
    return this.parts.some((_, index) => this.#needs(index, mounted));
  }

  load(_signal: AbortSignal | undefined, mounted: boolean): void {
    void this.start(({ interest }) => interest?.signal, mounted);
  }

  start(
    signalOf: (part: Part) => AbortSignal | undefined,
    mounted: boolean,
  ): TrackedPromise<unknown>[] {
    return this.parts.flatMap((part, index) =>
      part.view && this.#needs(index, mounted) ? [part.view.load(signalOf(part), true)] : [],
    );
  }

  /** The value of a skipped part depends only on its schema. */
  #each(look: (view: View<unknown>) => Snapshots[number]): Snapshots {
    return this.parts.map(({ view, endpoint }) => (view ? look(view) : absent(endpoint.schema)));
  }

  #needs(index: number, mounted: boolean | undefined): boolean {
    const view = this.parts[index]?.view;
    const now = view?.getSnapshot();
    const before = this.#snapshots[index];
    // A deleted row that is still rendered needs no request.
    const isKept = before && now && stays(before, now);
    return !isKept && (now?.status === 'pending' || view?.needsLoad(mounted) === true);
  }

  retain(): () => void {
    return all(this.parts.map(({ view }) => view?.retain()));
  }

  readonly hold = (): (() => void) => all(this.parts.map(({ interest }) => interest?.hold()));
}

function join(
  snapshots: Snapshots,
  before: ViewSnapshot<readonly unknown[]> | undefined,
): ViewSnapshot<readonly unknown[]> {
  const failed = snapshots.find((snapshot) => snapshot?.status === 'error');
  if (failed?.status === 'error') {
    const { status, error } = failed;
    return before?.status === status && before.error === error ? before : { status, error };
  }
  if (snapshots.some((snapshot) => snapshot?.status === 'pending')) {
    return before?.status === 'pending' ? before : { status: 'pending' };
  }
  const data = snapshots.map((snapshot) => snapshot && dataOf(snapshot));
  const stale = snapshots.some((snapshot) => snapshot?.status === 'ready' && snapshot.stale);
  const kept = before?.status === 'ready' ? before : undefined;
  const isSame =
    kept?.data.length === data.length &&
    data.every((value, index) => Object.is(value, kept.data[index]));
  if (!kept || !isSame) return { status: 'ready', data: Object.freeze(data), stale };
  return kept.stale === stale ? kept : { ...kept, stale };
}

function all(ends: readonly ((() => void) | undefined)[]): () => void {
  return () => {
    for (const end of ends) end?.();
  };
}

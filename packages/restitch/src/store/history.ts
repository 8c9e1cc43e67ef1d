import type { CellNode, Store } from './state.js';

/**
 * What was shown before recent commits, for a binding that still shows it: React renders what a transition wrote while the
 * screen shows what was before, and a reader that is mounted meanwhile has to join the screen.
 *
 * ```
 *   commit          1        2        3
 *   moment of 1     ├────────┼────────┼──▶     reads what commit 2 or 3 overwrote first, else what is there
 *   records                  a: 7     a: 8, b: 1
 * ```
 *
 * Kept by cell and node rather than by view, since a reader may ask for a view that was never built. Without anybody who
 * traces, nothing is recorded; without anybody who holds a moment, records go with the commit that made them.
 */
export interface History {
  /** How many trace this store. */
  traces: number;
  /** The number of the running or last commit. */
  commit: number;
  /** The number of the last commit that all observers were told of. */
  told: number;
  /** The number of the last rebuild before the running commit. */
  rebuild: number;
  /** Observers are being told; a commit that one of them makes is part of it. */
  isTelling: boolean;
  /** Of cells what they showed, of nodes and views what they gave, oldest first. */
  readonly records: Map<object, Before[]>;
  /** What the running commit recorded once more. */
  readonly fresh: Set<object>;
  readonly moments: Map<Moment, HeldMoment>;
}

interface Recorded {
  readonly value: unknown;
}

interface Before extends Recorded {
  /** The commit that changed it. */
  readonly commit: number;
  /** The rebuild in which it was built: a moment from before that is not told by it. */
  readonly since: number;
}

/** A state of the store that is past, and that somebody still shows. Opaque; see `Trace`. */
export interface Moment {
  /** Counts the commits that were traced. */
  readonly commit: number;
}

/** What is kept of a moment until it is released. */
export interface HeldMoment extends Moment {
  /** The number of the last rebuild before it passed. */
  readonly rebuild: number;
  /** What was built to be read at this moment. */
  readonly seen: Map<CellNode, CellNode>;
  /** What views gave that were read at this moment. */
  readonly snapshots: Map<object, Recorded>;
}

export function createHistory(traces: number): History {
  return {
    traces,
    commit: 0,
    told: 0,
    rebuild: 0,
    isTelling: false,
    records: new Map(),
    fresh: new Set(),
    moments: new Map(),
  };
}

/** A commit begins. */
export function beginCommit({ history, rebuild }: Store): void {
  if (history) {
    history.commit += 1;
    if (!history.isTelling) {
      history.rebuild = rebuild;
    }
  }
}

/** Notes what a cell, node or view was before the running commit changes it; of several values in one commit the first. */
export function record(history: History, key: object, value: unknown, since: number): void {
  const { commit, records, fresh } = history;
  const before = records.get(key);
  if (!before) {
    records.set(key, [{ commit, value, since }]);
  } else if (before[before.length - 1]?.commit !== commit) {
    before.push({ commit, value, since });
    // Only then may some of them be of no use any more.
    fresh.add(key);
  }
}

/** Tells observers; records that no moment needs go when all of them know. */
export function tell({ history }: Store, work: () => void): void {
  if (!history || history.isTelling) {
    work();
    return;
  }
  history.isTelling = true;
  try {
    work();
  } finally {
    history.isTelling = false;
    history.told = history.commit;
    prune(history);
  }
}

/** Holds the state before the commit that is being told of; outside of that, the present state. */
export function holdMoment(history: History): Moment {
  const { told, rebuild } = history;
  const moment: HeldMoment = { commit: told, rebuild, seen: new Map(), snapshots: new Map() };
  history.moments.set(moment, moment);
  return moment;
}

/** Holds the present state, in the middle of a commit too: what that one goes on to write counts as later. */
export function holdPresent(history: History, rebuild: number): HeldMoment {
  const { commit, moments } = history;
  const moment: HeldMoment = { commit, rebuild, seen: new Map(), snapshots: new Map() };
  moments.set(moment, moment);
  history.commit += 1;
  return moment;
}

export function releaseMoment(history: History, moment: Moment): void {
  history.moments.delete(moment);
  if (history.moments.size === 0 && !history.isTelling) {
    history.records.clear();
  }
}

/** Of several records of one thing, a moment reads the first one after it. */
function prune({ records, fresh, moments }: History): void {
  if (moments.size === 0) {
    records.clear();
  }
  for (const key of moments.size === 0 ? [] : fresh) {
    const before = records.get(key) ?? [];
    const needed = before.filter(({ commit }, index) => {
      const previous = before[index - 1]?.commit ?? -1;
      return [...moments.values()].some(
        (moment) => previous <= moment.commit && moment.commit < commit,
      );
    });
    if (needed.length === 0) {
      records.delete(key);
    } else {
      records.set(key, needed);
    }
  }
  fresh.clear();
}

/** What a cell, node or view was at a moment, if it changed since. */
export function recordAt(
  { records }: History,
  key: object,
  moment: HeldMoment,
): Recorded | undefined {
  const before = records.get(key)?.find(({ commit }) => commit > moment.commit);
  return before && before.since <= moment.rebuild ? before : undefined;
}

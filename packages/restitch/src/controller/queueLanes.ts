import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { onAbort, reasonOf } from '../errors/aborts.js';
import { isPlain } from '../schema/same.js';
import { shapeOf } from '../schema/shape.js';
import { entitiesIn } from '../schema/signature.js';
import { pkText } from '../schema/referenceText.js';
import type { Store } from '../store/cells/Store.js';
import { commit } from '../store/journal/commit.js';
import { STALLED } from '../store/journal/stalled.js';
import { entityPk } from '../store/views/queries.js';
import { namedArgs } from './namedArgs.js';
import type { Core } from './Core.js';
import type { Flight, Send } from './Flight.js';
import { announce, startAgain } from './startRequest.js';
import { temporaryIn, withRealKeys } from './temporaryKeys.js';
import { sendNamed } from './waitForKeys.js';
import { addWaiting, raiseAbove, removeWaiting, waitingOf } from './queuedRequests.js';

/**
 * A lane: requests that are sent one after another. Waiting calls may share one request. In this
 * file, an optimistic update that is "above" another one overrides it.
 *
 * ```
 *   title: 'a'    ├──────────┤                solid: in flight
 *   title: 'ab'      ├ ─ ─ ─ ┐                dashed: waits, but readers see it
 *   title: 'abc'       ├ ─ ─ ┴───────────┤    one request for both calls sends 'abc'
 * ```
 */

export interface Queued {
  readonly core: Core;
  readonly flight: Flight;
  readonly lane: Lane;
  readonly joins: boolean | undefined;
  /** The arguments of the calls that get the response, in order. */
  readonly calls: Set<readonly unknown[]>;
  isSent: boolean;
  /** Stops the timer of the undo delay. Defined while the request can be canceled. */
  stopTimer?: (() => void) | undefined;
  /** Sends the request. Defined while the request waits. */
  send?: (() => void) | undefined;
}

/** The requests with one name (see `Queueing.by`) that have not ended, in order of their calls. */
export interface Lane {
  /** A name that contains a temporary key changes when the record gets its real key. */
  readonly name: () => string;
  readonly isTemporary: boolean;
  readonly texts: Set<string>;
  readonly queued: Queued[];
}

const lanes = new WeakMap<Store, Map<string, Lane>>();

export function laneOf(store: Store, name: () => string, isTemporary: boolean): Lane {
  const all = lanes.get(store) ?? new Map<string, Lane>();
  lanes.set(store, all);
  const text = name();
  const found =
    all.get(text) ?? [...all.values()].find((lane) => lane.isTemporary && lane.name() === text);
  const lane = found ?? createLane(name, isTemporary);
  all.set(text, lane);
  lane.texts.add(text);
  return lane;
}

export function createLane(name: () => string, isTemporary = false): Lane {
  return { name, isTemporary, texts: new Set(), queued: [] };
}

export function nameOfCall(
  store: Store,
  endpoint: EndpointInterface,
  by: string | ((...args: unknown[]) => string),
  args: readonly unknown[],
): string {
  return by === 'record'
    ? recordName(store, endpoint, args)
    : JSON.stringify(typeof by === 'string' ? by : by(...args));
}

/** An update and a delete of one URL are in one queue, even if it does not name a stored record. */
const METHOD = /^(".*" )?[A-Z]+ /;

function recordName(store: Store, endpoint: EndpointInterface, args: readonly unknown[]): string {
  const [entity] = entitiesIn(shapeOf(endpoint.schema));
  const pk = entity && entityPk(entity, namedArgs(store, endpoint, args));
  return entity && pk !== undefined
    ? JSON.stringify([entity.table, pkText(store.named.get(pk)) ?? pk])
    : endpoint.key(...args).replace(METHOD, '$1');
}

export function enter(entry: Queued): void {
  const { flight, lane } = entry;
  lane.queued.push(entry);
  flight.waitsFor =
    entry.stopTimer !== undefined ? 'time' : lane.queued[0] === entry ? undefined : 'turn';
  flight.turn = (send) => turnOf(entry, send);
  const end = (): void => leave(entry);
  void flight.wait.outcome.promise.then(end, end);
}

function turnOf(entry: Queued, send: Send): Promise<unknown> {
  const { core, flight, lane } = entry;
  const { signal } = flight.abort;
  if (entry.stopTimer === undefined && lane.queued[0] === entry) {
    return takeTurn(entry, send);
  }
  // Added now, so that its update stays above the updates of earlier calls that wait for a key. When
  // the record of this call gets its real key, the update starts again with this key.
  const wait = (): void => void core.waiting.set(flight, undefined);
  core.waiting.set(flight, temporaryIn(flight.store, flight.args) === undefined ? undefined : wait);
  return new Promise((resolve, reject) => {
    entry.send = () => {
      if (signal.aborted) {
        return;
      }
      resolve(takeTurn(entry, send));
    };
    addWaiting(entry);
    onAbort(signal, () => reject(reasonOf(signal)));
  });
}

/** While its record has no real key, the request waits, and calls can still join and leave. */
function takeTurn(entry: Queued, send: Send): Promise<unknown> {
  const { core, flight } = entry;
  let isLate = entry.send !== undefined;
  entry.send = undefined;
  flight.waitsFor = undefined;
  core.watchers.notifyLater();
  removeWaiting(entry);
  entry.stopTimer?.();
  joinCalls(entry);
  const sent = sendNamed(core, flight, flight.args, () => {
    core.waiting.delete(flight);
    // Other requests were sent meanwhile. This request is sent later, so its update is above them.
    if (isLate) {
      showBelow(entry, 0, startAgain);
    }
    noteSent(entry);
    return send(flight.args);
  });
  isLate = true;
  return sent;
}

function noteSent(entry: Queued): void {
  entry.isSent = true;
  // A request without a response must not hold back the other requests forever.
  const stop = entry.core.environment.whenIdle(() => leave(entry), STALLED);
  void entry.flight.wait.outcome.promise.then(stop, stop);
}

function leave(entry: Queued): void {
  const { flight, lane } = entry;
  const index = lane.queued.indexOf(entry);
  if (index < 0) {
    return;
  }
  lane.queued.splice(index, 1);
  removeWaiting(entry);
  entry.stopTimer?.();
  for (const text of lane.queued.length === 0 ? lane.texts : []) {
    lanes.get(flight.store)?.delete(text);
  }
  advance(lane);
}

export function advance({ queued: [first] }: Lane): void {
  if (first?.stopTimer === undefined) {
    first?.send?.();
  }
}

/** After a call was removed, later requests must stay above this request. */
export function showRest(entry: Queued): void {
  showBelow(entry, entry.flight.transaction?.start ?? 0, announce);
}

/** Shows a request again, below the waiting requests that started after `since`. */
function showBelow(entry: Queued, since: number, begin: typeof announce): void {
  const { core, flight, lane } = entry;
  joinCalls(entry);
  commit(flight.store, () => {
    begin(core, flight, flight.args);
    const changed = lane.queued.flatMap((one) => [...(one.flight.transaction?.cells ?? [])]);
    raiseAbove(core, new Set(changed), flight, since);
  });
}

/** The fields of later calls win. A PUT replaces the whole record, so the last body is used. */
export function joinCalls({ flight, calls }: Queued): void {
  const [first = [], ...later] = calls;
  const isWhole = Reflect.get(flight.endpoint, 'method') === 'PUT';
  const joined = later.reduce(
    (before, next) => (isWhole ? next : next.map((arg, index) => merged(before[index], arg))),
    first,
  );
  flight.args = withRealKeys(joined, flight.store.named);
}

/** A later undefined is ignored, because it is not sent. */
function merged(before: unknown, next: unknown): unknown {
  if (!isPlain(before) || !isPlain(next)) {
    return next === undefined ? before : next;
  }
  const fields = Object.entries(next).map(([name, value]) => [name, merged(before[name], value)]);
  return { ...before, ...Object.fromEntries(fields) };
}

export async function endDelays(core: Core): Promise<void> {
  const entries = [...waitingOf(core).entries.values()];
  const outcomes = entries.map(({ flight }) => flight.wait.outcome.promise);
  for (const entry of entries) {
    entry.stopTimer?.();
    entry.stopTimer = undefined;
    advance(entry.lane);
  }
  await Promise.allSettled(outcomes);
}

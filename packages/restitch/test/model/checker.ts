/** Compares the library with the model: content, identity, stability of references, notifications. */
import { expectedStatus, wrongAbout } from './asked.js';
import { Contents, listNamed, type Detail } from './content.js';
import { NO_COUNTS, type Counts } from './counts.js';
import { entityOf, type RowKey } from './effects.js';
import type { Visible } from './model.js';
import { ISSUE_IDS, LIST_NAMES, readFor, USER_IDS, viewKey, type ViewName } from './program.js';
import { Sightings } from './sightings.js';
import { dataOf, differInState, Subscriber } from './subscriber.js';
import type { World } from './world.js';

/** The disagreement of one step, in a line. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

interface Remembered {
  readonly object: unknown;
  readonly current: string | undefined;
  readonly stored: string | undefined;
  /** Whether what is shown, or stored, was another in between: then any object may stand for it. */
  shownChanged: boolean;
  storedChanged: boolean;
}

const ROWS: readonly RowKey[] = [
  ...ISSUE_IDS.map((id) => `Issue:${id}`),
  ...USER_IDS.map((id) => `User:${id}`),
];

const LIST_KEYS = LIST_NAMES.map((name) => `list:${name}`);

const ENDPOINT_VIEWS: readonly ViewName[] = [
  ...ISSUE_IDS.map((id) => ({ of: 'issue', id, by: 'endpoint' }) as const),
  ...USER_IDS.map((id) => ({ of: 'user', id, by: 'endpoint' }) as const),
  ...LIST_NAMES.map((list) => ({ of: 'list', list, by: 'endpoint' }) as const),
];

/** What a view shows of which the rules do not say it, or of what may be forgotten. */
const UNKNOWN = '(unknown)';

export class Checker {
  readonly counts: { -readonly [Count in keyof Counts]: Counts[Count] } = { ...NO_COUNTS };
  readonly #world: World;
  readonly #remembered = new Map<string, Remembered>();
  readonly #subscribers: Subscriber[] = [];
  /** Questions whose result may have been evicted: their views are no longer compared. */
  readonly #evicted = new Set<string>();
  readonly #forgotten = new Set<string>();
  #contents: Contents;

  constructor(world: World, visible: Visible) {
    this.#world = world;
    this.#contents = new Contents(visible);
  }

  get subscribers(): number {
    return this.#subscribers.length;
  }

  subscribe(name: ViewName, reads: boolean): void {
    if (name.by === 'endpoint') this.#checkAsked(name);
    this.#subscribers.push(
      new Subscriber(
        name,
        this.#world.view(name),
        reads,
        this.#contentOf(name, 'current'),
        this.#contentOf(name, 'stored'),
      ),
    );
  }

  unsubscribe(index: number): void {
    this.#subscribers.splice(index, 1)[0]?.stop();
  }

  /**
   * A sweep may evict a result, or its invalidation, where no rows could stand in for it; and an error
   * without a reader once it is not fresh.
   */
  sweep(): void {
    for (const name of ENDPOINT_VIEWS) {
      const hasData = this.#contents.text(keyOf(name), 'current') !== undefined;
      const { state, age } = this.#contents.visible.asked(readFor(name));
      const isForgettable = !hasData || (state === 'error' && age !== 'fresh');
      if (isForgettable && !this.#isHeld(name)) this.#evicted.add(viewKey(name));
    }
  }

  /** Whether the result of a question, or the records in it, may be evicted. */
  mayHaveForgotten(view: ViewName): boolean {
    return (
      this.#evicted.has(viewKey({ ...view, by: 'endpoint' })) || this.#isForgotten(keyOf(view))
    );
  }

  /** Data without a subscriber may be evicted at any time from now on: it is no longer compared, nor are results with it. */
  forget(): void {
    const leading = this.#subscribers.filter(({ name }) => this.#leadsToRows(name));
    const held = this.#contents.reachedFrom(
      leading.map(({ name }) => keyOf(name)),
      this.#forgotten,
    );
    for (const name of ENDPOINT_VIEWS) {
      if (!this.#isHeld(name)) this.#evicted.add(viewKey(name));
    }
    const { rows, touched } = this.#contents.visible;
    const known = [...rows.keys(), ...touched, ...LIST_KEYS];
    for (const key of known) if (!held.has(key)) this.#forgotten.add(key);
  }

  /** Whether a view retains its record: behind an error without a result, and after an invalidation, it shows nothing of it. */
  #leadsToRows(name: ViewName): boolean {
    if (name.by === 'query') return true;
    const { state, hasResponse } = this.#contents.visible.asked(readFor(name));
    return hasResponse || state === 'untouched';
  }

  #isForgotten(key: string, contents = this.#contents): boolean {
    if (this.#forgotten.size === 0) return false;
    return [...contents.reachedFrom([key])].some((reached) => this.#forgotten.has(reached));
  }

  beforeStep(): void {
    for (const subscriber of this.#subscribers) subscriber.restart();
  }

  /**
   * To be called after each step with the model's state; `look` reads everything. `asksAgain`: whether the step made readers fetch,
   * whatever they show. `commits`: in how many commits it came.
   */
  afterStep(visible: Visible, look: boolean, asksAgain = false, commits = 1): void {
    this.counts.steps++;
    this.#contents = new Contents(visible);
    for (const [name, remembered] of this.#remembered) {
      remembered.shownChanged ||= remembered.current !== this.#contents.text(name, 'current');
      remembered.storedChanged ||= remembered.stored !== this.#contents.text(name, 'stored');
    }
    for (const subscriber of this.#subscribers)
      this.#checkNotifications(subscriber, asksAgain, commits);
    const sightings = new Sightings(this.#contents);
    for (const subscriber of this.#subscribers) {
      if (subscriber.reads || look) this.#checkSubscriber(subscriber, sightings);
    }
    if (look) this.#lookAround(sightings);
  }

  /** `controller.fetch` resolves to what the store shows for that request: the row (or list) with this key. */
  checkOutcome(visible: Visible, key: string, value: unknown): void {
    const contents = new Contents(visible);
    if (this.#isForgotten(key, contents)) return;
    const sightings = new Sightings(contents);
    const list = listNamed(key);
    if (list === undefined) {
      const row = key.includes('~')
        ? value
        : this.#world.row(entityOf(key), key.slice(key.indexOf(':') + 1));
      report(sightings.check(key, row, `get ${key}`));
      // Where the row was deleted meanwhile, it is the record of the response.
      if (contents.visible.rows.has(key))
        report(sightings.check(key, value, `what fetch resolved to, ${key}`));
    } else
      report(sightings.checkList(visible.lists.get(list), value, `what fetch resolved to, ${key}`));
  }

  #checkNotifications(subscriber: Subscriber, asksAgain: boolean, commits: number): void {
    const { name, count } = subscriber;
    const content = this.#contentOf(name, 'current');
    const stored = this.#contentOf(name, 'stored');
    const { content: before, stored: storedBefore } = subscriber;
    const changed = content !== before;
    subscriber.content = content;
    subscriber.stored = stored;
    if (content === UNKNOWN || before === UNKNOWN) return;
    this.counts.notifications += count;
    if (count > commits)
      throw new Disagreement(`${viewKey(name)}: notified ${count} times for one change`);
    if (changed && count === 0)
      throw new Disagreement(`${viewKey(name)}: not notified of ${before} → ${content}`);
    if (changed || count === 0 || commits > 1) return;
    // What the view says besides its data (stale or not) is no business of the model, but a reason to notify.
    const now = subscriber.view.getSnapshot();
    const { known } = subscriber;
    if (!subscriber.reads) subscriber.known = now;
    if (differInState(now, known) || (asksAgain && name.by === 'endpoint')) return;
    this.counts.inVain++;
    if (stored === storedBefore) this.counts.forNothing++;
  }

  #checkSubscriber(subscriber: Subscriber, sightings: Sightings): void {
    const { name } = subscriber;
    const snapshot = subscriber.view.getSnapshot();
    const { known } = subscriber;
    subscriber.known = snapshot;
    // One that does not read when notified may have missed something in between.
    if (
      subscriber.reads &&
      known !== snapshot &&
      dataOf(known) === dataOf(snapshot) &&
      !differInState(known, snapshot)
    ) {
      throw new Disagreement(
        `${viewKey(name)}: another snapshot that holds just what the last one did`,
      );
    }
    if (subscriber.notified !== undefined && subscriber.notified !== snapshot) {
      throw new Disagreement(
        `${viewKey(name)}: what it read when notified is not what it shows after the step`,
      );
    }
    if (this.#world.view(name).getSnapshot() !== snapshot) {
      throw new Disagreement(
        `${viewKey(name)}: asked again, the same question gives another snapshot`,
      );
    }
    this.#compare(name, dataOf(snapshot), sightings);
    if (name.by === 'endpoint') this.#checkAsked(name);
  }

  /** What the view of an endpoint says besides its data. */
  #checkAsked(name: ViewName): void {
    if (this.#evicted.has(viewKey(name)) || this.#isForgotten(keyOf(name))) return;
    const asked = this.#contents.visible.asked(readFor(name));
    const hasData = this.#contents.text(keyOf(name), 'current') !== undefined;
    const wrong = wrongAbout(asked, hasData, this.#world.view(name), this.#isHeld(name));
    if (wrong !== undefined) throw new Disagreement(`${viewKey(name)}: ${wrong}`);
  }

  #isHeld(name: ViewName): boolean {
    return this.#subscribers.some((subscriber) => viewKey(subscriber.name) === viewKey(name));
  }

  /** Whether the view shows its rows or list, if they are there; undefined where the rules do not say. */
  #isAnswered(name: ViewName): boolean | undefined {
    if (name.by === 'query') return true;
    const asked = this.#contents.visible.asked(readFor(name));
    const status = expectedStatus(asked, true);
    const isOpen = status !== 'ready' || asked.hasFailed;
    if (status === undefined || (this.#evicted.has(viewKey(name)) && isOpen)) return undefined;
    return status === 'ready';
  }

  #lookAround(sightings: Sightings): void {
    for (const key of ROWS) {
      if (this.#isForgotten(key)) continue;
      const row = this.#world.row(entityOf(key), key.slice(key.indexOf(':') + 1));
      report(sightings.check(key, row, `get ${key}`));
      this.#checkStable(key, row);
    }
    if (this.#forgotten.size === 0) this.#checkSelections();
    for (const list of LIST_NAMES) {
      const name: ViewName = { of: 'list', list, by: 'query' };
      this.#compare(name, dataOf(this.#world.view(name).getSnapshot()), sightings);
    }
    for (const name of ENDPOINT_VIEWS) {
      this.#compare(name, dataOf(this.#world.view(name).getSnapshot()), sightings);
      this.#checkAsked(name);
    }
  }

  /** All issues, and each title by which one can be found. */
  #checkSelections(): void {
    const expected = [...this.#contents.visible.rows.keys()].filter(
      (key) => entityOf(key) === 'Issue',
    );
    const issues = this.#world.issues();
    const titles = new Set<unknown>();
    for (const key of expected) titles.add(this.#contents.visible.rows.get(key)?.['title']);
    if (new Set(issues).size !== expected.length || issues.length !== expected.length) {
      const ids = issues.map((issue) => issue.id).join(', ');
      throw new Disagreement(`all issues are ${ids}, but should be ${expected.join(', ')}`);
    }
    for (const id of ISSUE_IDS) {
      const row = this.#world.row('Issue', id);
      if (row !== undefined && !issues.some((issue) => issue === row))
        throw new Disagreement(`issue ${id} is not among all issues`);
    }
    for (const title of ['a', 'b', 'c', 'd']) {
      const found = this.#world.issueCalled(title);
      if ((found !== undefined) !== titles.has(title) || (found && found.title !== title))
        throw new Disagreement(`by its title '${title}' one finds ${JSON.stringify(found)}`);
    }
  }

  #compare(name: ViewName, data: unknown, sightings: Sightings): void {
    if (this.#isForgotten(keyOf(name))) return;
    const path = viewKey(name);
    const hasResponse = this.#isAnswered(name);
    if (hasResponse !== true) {
      if (hasResponse === false && data !== undefined)
        throw new Disagreement(`${path}: shown, although it has no result`);
      return;
    }
    if (name.of === 'list') {
      report(sightings.checkList(this.#contents.visible.lists.get(name.list), data, path));
      this.#checkStable(`list:${name.list}`, data);
    } else {
      const key = rowKeyOf(name);
      report(sightings.check(key, data, path));
      this.#checkStable(key, data);
    }
  }

  /** Equal content, same object; other content, other object. */
  #checkStable(key: string, object: unknown): void {
    const current = this.#contents.text(key, 'current');
    const stored = this.#contents.text(key, 'stored');
    const last = this.#remembered.get(key);
    if (last !== undefined && current !== undefined) {
      if (!last.storedChanged && last.object !== object) {
        throw new Disagreement(
          `${key}: another object although it shows the same as before: ${current}`,
        );
      }
      if (!last.shownChanged && last.object !== object) this.counts.renewedInVain++;
      if (last.current !== current && last.object === object) {
        throw new Disagreement(
          `${key}: the same object although it should have changed: ${last.current} → ${current}`,
        );
      }
    }
    this.#remembered.set(key, {
      object,
      current,
      stored,
      shownChanged: false,
      storedChanged: false,
    });
  }

  #contentOf(name: ViewName, detail: Detail): string | undefined {
    const hasResponse = this.#isAnswered(name);
    if (hasResponse === undefined || this.#isForgotten(keyOf(name))) return UNKNOWN;
    return hasResponse ? this.#contents.text(keyOf(name), detail) : undefined;
  }
}

/** The row or list that a view is of. */
export function keyOf(name: ViewName): string {
  return name.of === 'list' ? `list:${name.list}` : rowKeyOf(name);
}

function rowKeyOf(name: ViewName & { readonly of: 'issue' | 'user' }): RowKey {
  return `${name.of === 'issue' ? 'Issue' : 'User'}:${name.id}`;
}

function report(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Disagreement(wrong);
}

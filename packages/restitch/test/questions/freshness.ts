/** What readers must ask for again: what was outdated, and what is too old. */
import { resultsOf } from './oracle.js';
import type { Question } from './questions.js';

export const LIFETIME = 60_000;

/** Whether a reader of a question, which shows data, must ask for it again. */
export type Demand = (question: Question, data: unknown) => boolean;

/**
 * A demand holds until anything arrives or is written: from then on the order of events decides,
 * which is the order model's subject.
 */
export class Freshness {
  #demands: Demand[] = [];
  #heardAt: number;
  /** Nothing was outdated, changed, refused or grew old so far. */
  isUntouched = true;

  constructor(now: number) {
    this.#heardAt = now;
  }

  heard(now: number): void {
    this.#demands = [];
    this.#heardAt = now;
  }

  demand(demand: Demand): void {
    this.#demands.push(demand);
  }

  /** Whether the newest response of all is too old, and so is every other. */
  isOld(now: number): boolean {
    return now - this.#heardAt > LIFETIME;
  }

  mustAsk(question: Question, data: unknown): boolean {
    return this.#demands.some((demand) => demand(question, data));
  }
}

/** What `expireWhere` by a class, or by a row of it, selects. */
export const holding =
  (cls: unknown, id: string | undefined): Demand =>
  ({ reads }, data) => {
    if (reads.type === 'value' || reads.cls !== cls || data == null) return false;
    const rows =
      reads.type === 'list' ? Object.values(Object(resultsOf(data, reads.space.envelope))) : [data];
    return id === undefined || rows.some((row) => Object(row).id === id);
  };

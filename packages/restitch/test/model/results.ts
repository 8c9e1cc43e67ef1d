/**
 * What the questions to the endpoints with ordinary keys come to: each has a result, in which the highest start wins, a response or an
 * error alike. Nothing is kept in order here, since every write replaces what was there.
 */
import { isRead, type Request } from './program.js';

/** Milliseconds for which a response, and an error, counts as fresh. */
export const LIFETIME = 10_000;
export const ERROR_LIFETIME = 1000;

/** A read with the ordinary key of its endpoint, as text. */
export type Question = string;

/** Undefined for requests that are no read of a question. */
export function questionOf(request: Request | undefined): Question | undefined {
  return request !== undefined && isRead(request) && 'shared' in request && request.shared
    ? JSON.stringify(request)
    : undefined;
}

interface Register {
  /** `unknown`: the rules do not say, or the library may have kept it or not. */
  state: 'untouched' | 'value' | 'error' | 'invalid' | 'unknown';
  start: number;
  /** Milliseconds since the beginning at which it was written. */
  at: number;
  /** The tick at which it was last expired by hand. */
  expired: number;
  /** When a request last failed without taking its place; since the last response, expiry or invalidation. */
  failedAt: number | undefined;
  /** Whether one failed so since the last response or invalidation. */
  hasFailed: boolean;
  /** Whether there is a response, be it under an error. */
  hasResponse: boolean;
  /** The fields that the response said of the row which it is of. */
  said: readonly string[];
}

/** What is known of one question. */
export interface Asked {
  readonly state: Register['state'];
  /** Whether it is fresh; `old` by time alone, `expired` by hand. Undefined where the rules do not say. */
  readonly age: 'fresh' | 'old' | 'expired' | undefined;
  /** Whether a request failed so short a time ago that no reader asks again. */
  readonly isBackingOff: boolean;
  /** Whether a request failed without taking the response's place. If the response had been forgotten, it took the place of nothing. */
  readonly hasFailed: boolean;
  /** Whether there is a response, be it under an error. */
  readonly hasResponse: boolean;
}

/** Whether the question has a result, or had one that was invalidated. */
function isKnown({ state }: Register): boolean {
  return state !== 'untouched' && state !== 'unknown';
}

const UNTOUCHED: Asked = {
  state: 'untouched',
  age: undefined,
  isBackingOff: false,
  hasFailed: false,
  hasResponse: false,
};

export class Registers {
  readonly #registers = new Map<Question, Register>();
  /** The last settle of out-of-order mutations: results that were requested before may count as expired. */
  #outOfOrder = 0;

  respond(question: Question, start: number, clock: number, said: readonly string[] = []): void {
    const register = this.#of(question);
    if (start < register.start) return;
    Object.assign(register, {
      state: 'value',
      start,
      at: clock,
      failedAt: undefined,
      hasFailed: false,
      hasResponse: true,
      said,
    });
  }

  /** Hydrated data is current for readers that never fetched. */
  answerUntouched(question: Question, clock: number): void {
    if (this.#of(question).state === 'untouched') this.respond(question, 0, clock);
  }

  /** `hasData`: whether readers see something, be it rows of other responses. */
  fail(
    question: Question,
    start: number,
    clock: number,
    how: { readonly isSoft: boolean; readonly hasData: boolean },
  ): void {
    const register = this.#of(question);
    // A newer response says more than the failure of an older request.
    if (start < register.start) return;
    const { state } = register;
    if (how.isSoft && how.hasData && (state === 'value' || state === 'untouched')) {
      // It never hides a value. A response whose row is deleted is none: readers that wait for another one get `undefined`.
      register.failedAt = clock;
      register.hasFailed = true;
    } else if (how.isSoft && state === 'unknown') {
      // It may have come in the place of nothing.
      register.start = Math.max(start, register.start);
    } else {
      Object.assign(register, { state: 'error', start, at: clock, failedAt: undefined });
    }
  }

  invalidate(question: Question, tick: number): void {
    Object.assign(this.#of(question), {
      state: 'invalid',
      start: tick,
      expired: tick,
      failedAt: undefined,
      hasFailed: false,
      hasResponse: false,
    });
  }

  /** Whether something is there to be taken away. */
  hasResponse(question: Question): boolean {
    return this.#registers.get(question)?.hasResponse === true;
  }

  /**
   * Invalidates or expires every question that `concerns`; those `inFlight` are known to be questions. A question without a response may be
   * read from rows or not afterwards: that is no stored result.
   */
  outdate(
    how: 'invalidate' | 'expire',
    tick: number,
    questions: ReadonlySet<Question>,
    inFlight: ReadonlySet<Question>,
  ): void {
    for (const question of questions) {
      const register = this.#of(question);
      if (how === 'expire') {
        register.expired = tick;
        register.failedAt = undefined;
      } else if (isKnown(register) || inFlight.has(question)) this.invalidate(question, tick);
      else register.state = 'unknown';
    }
  }

  refetch(tick: number): void {
    this.#outOfOrder = Math.max(tick, this.#outOfOrder);
  }

  /** The stored result counts as expired, though no mutations are out of order. */
  expire(question: Question, tick: number): void {
    const register = this.#registers.get(question);
    if (register?.state === 'value') register.expired = Math.max(tick, register.expired);
  }

  get lastDoubt(): number {
    return this.#outOfOrder;
  }

  clear(): void {
    this.#registers.clear();
  }

  /** `row`: the row which the response is of. Its readers may ask again where it lost what the response said, as when it was deleted meanwhile. */
  look(question: Question, clock: number, row: object = {}): Asked {
    const register = this.#registers.get(question);
    if (register === undefined) return UNTOUCHED;
    const { state, start, at, expired, failedAt, hasFailed, hasResponse, said } = register;
    const isBackingOff = failedAt !== undefined && clock < failedAt + ERROR_LIFETIME;
    const known = { state, hasFailed, hasResponse };
    if (state === 'value' && start < expired && !isBackingOff)
      return { ...known, age: 'expired', isBackingOff };
    if (this.#outOfOrder > start) return { ...known, age: undefined, isBackingOff: false };
    if (!isKnown(register)) return { ...known, age: undefined, isBackingOff };
    const lifetime = state === 'error' ? ERROR_LIFETIME : LIFETIME;
    const age = start < expired ? 'expired' : clock < at + lifetime ? 'fresh' : 'old';
    const isWhole = said.every((field) => field in row);
    return { ...known, age: isWhole || age !== 'fresh' ? age : undefined, isBackingOff };
  }

  #of(question: Question): Register {
    const known = this.#registers.get(question);
    if (known !== undefined) return known;
    const register: Register = {
      state: 'untouched',
      start: 0,
      at: 0,
      expired: 0,
      failedAt: undefined,
      hasFailed: false,
      hasResponse: false,
      said: [],
    };
    this.#registers.set(question, register);
    return register;
  }
}

/** Requests that the server has got and not yet responded to. */
import type { Content } from './server.js';

/** A request as the server sees it. */
export interface Wire {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly auth: string;
}

export interface Flight extends Wire {
  /** The request as one text. */
  readonly wire: string;
  /** The output of its endpoint for the response, and its kind: part of what distinguishes questions, though not for the server. */
  readonly variant: string;
  /** The tick at which it was sent. */
  readonly start: number;
  /** Of a read: what the server held then; undefined where it had nothing. */
  readonly early: Content | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** More requests in one step than any program needs: the library asks without end. */
const LIMIT = 60;

export class Flights {
  readonly pending: Flight[] = [];
  /** Counts what happens, so that it has an order. */
  tick = 0;
  /** The tick at which the last session ended: requests from before it are ended. */
  endedAt = 0;
  #sentInStep = 0;
  readonly #read: (flight: Flight) => Content;

  constructor(read: (flight: Flight) => Content) {
    this.#read = read;
  }

  get isWithoutEnd(): boolean {
    return this.#sentInStep > LIMIT;
  }

  beginStep(): void {
    this.#sentInStep = 0;
  }

  /** Takes a request out that has its response now. */
  end(flight: Flight): void {
    this.pending.splice(this.pending.indexOf(flight), 1);
  }

  /** Takes a request; it gets its response by `resolve` or `reject` of its flight. */
  send(wire: Wire, variant: string): Promise<unknown> {
    // Never gets a response: so the requests end, and the step can be checked.
    if (++this.#sentInStep > LIMIT) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      const flight: Flight = {
        ...wire,
        wire: wireText(wire),
        variant,
        start: ++this.tick,
        early: undefined,
        resolve,
        reject,
      };
      this.pending.push(isRead(flight) ? { ...flight, early: this.#now(flight) } : flight);
    });
  }

  /** Whether a read that asks this is under way. */
  has(wire: string, variant: string): boolean {
    return this.pending.some(
      (flight) => flight.wire === wire && flight.variant === variant && flight.start > this.endedAt,
    );
  }

  #now(flight: Flight): Content | undefined {
    try {
      return this.#read(flight);
    } catch {
      return undefined;
    }
  }
}

export function isRead({ method, url, body }: Wire): boolean {
  if (method !== 'POST') return /^(GET|QUERY|CALL)$/.test(method);
  // What changes something says how, except a delete at a path of its own.
  return /\/(search|find)$/.test(url) || (body === '' && !url.includes('/purge/'));
}

export function wireText({ method, url, body, auth }: Wire): string {
  return [method, url, body, auth].filter(Boolean).join(' ');
}

/** Resolves when everything that can go on without the server has. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

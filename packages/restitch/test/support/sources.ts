import { Endpoint, Entity, type StreamManagerOptions, type SubscribeAction } from 'restitch';

export class Price extends Entity {
  id = '';
  amount = 0;
  static override key = 'Price';
}

type Listener = (event: { readonly data?: unknown }) => void;

export interface FakeSource {
  readonly url: string;
  readyState: number;
  open(): void;
  send(value: unknown): void;
  /** Ends the connection as a server does. */
  cut(): void;
  /** Loses the connection as an `EventSource` does that connects again by itself. */
  interrupt(): void;
}

/** Connections that open, send and end when the test says so. */
// The return type is what the class infers from its options; naming it would repeat them.
export function sources() {
  /** All that were made, in this order. */
  const made: FakeSource[] = [];
  const live = new Set<FakeSource>();
  class Source implements FakeSource {
    readyState = 0;
    readonly url: string;
    readonly #listeners: [string, Listener][] = [];

    constructor(url: string) {
      this.url = url;
      made.push(this);
      live.add(this);
    }

    addEventListener(type: string, listener: Listener): void {
      this.#listeners.push([type, listener]);
    }

    /** A host may still deliver events after this. */
    close(): void {
      this.readyState = 2;
      live.delete(this);
    }

    open(): void {
      this.readyState = 1;
      this.#fire('open');
    }

    send(value: unknown): void {
      this.#fire('message', JSON.stringify(value));
    }

    cut(): void {
      this.readyState = 2;
      live.delete(this);
      this.#fire('error');
      this.#fire('close');
    }

    interrupt(): void {
      this.readyState = 0;
      this.#fire('error');
    }

    #fire(type: string, data?: unknown): void {
      for (const [of, listener] of this.#listeners) if (of === type) listener({ data });
    }
  }
  const urls = (): string[] => [...live].map(({ url }) => url);
  const last = (): FakeSource => {
    const source = made.at(-1);
    if (!source) throw new Error('nothing was opened');
    return source;
  };
  return { Source, made, urls, last };
}

let names = 0;

/** A price on a server that counts its requests, and the options of a stream of prices. */
// The return type is what the class infers from its options; naming it would repeat them.
export function prices(urlOf: (id: string) => string | undefined, pollFrequency?: number) {
  const found = sources();
  const requests: string[] = [];
  const getPrice = new Endpoint(
    async ({ id }: { id: string }) => {
      requests.push(id);
      return { id, amount: requests.length };
    },
    { name: `getPrice${(names += 1)}`, schema: Price, pollFrequency },
  );
  const options: StreamManagerOptions = {
    EventSource: found.Source,
    // The cast: the arguments of `getPrice`.
    url: ({ args }: SubscribeAction) => urlOf((args[0] as { id: string }).id),
    onMessage: ({ data }, controller) => {
      // The cast: what the tests send.
      const price = data as { id: string };
      controller.set(Price, { id: price.id }, price);
    },
  };
  return { ...found, requests, getPrice, options };
}

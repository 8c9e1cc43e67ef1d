/** What a `WebSocket` and an `EventSource` have in common: as much of them as a `StreamManager` uses. */
export interface StreamSource {
  readonly readyState: number;
  /** Calls a function for each event of a type. */
  // oxlint-disable-next-line typescript/no-explicit-any -- every host has its own event types
  addEventListener(type: string, listener: (event: any) => void): void;
  /** Ends the connection. */
  close(): void;
}

/** Makes a `WebSocket` or an `EventSource`. */
export type StreamConstructor = new (url: string) => StreamSource;

/** One message of a stream. */
export interface StreamMessage {
  /** What came, parsed if it was JSON text. */
  readonly data: unknown;
  /** The name of a server-sent event; `'message'` where it has none, and of a web socket's messages. */
  readonly type: string;
}

/** The constructor for a URL: the host's own, unless another one is given. */
export function constructorFor(
  url: string,
  given: { readonly WebSocket?: StreamConstructor; readonly EventSource?: StreamConstructor },
): StreamConstructor {
  const name = /^wss?:/.test(url) ? 'WebSocket' : 'EventSource';
  // The cast: any of them may be missing, which the types of a browser do not say.
  const host = globalThis as Partial<Record<typeof name, StreamConstructor>>;
  const constructor = given[name] ?? host[name];
  if (!constructor) {
    throw new TypeError(
      `\`${name}\` is missing here: give the StreamManager one as its option \`${name}\`.`,
    );
  }
  return constructor;
}

/** Text that is JSON as what it says, anything else as it is. */
export function parsed(data: unknown): unknown {
  if (typeof data !== 'string') {
    return data;
  }
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

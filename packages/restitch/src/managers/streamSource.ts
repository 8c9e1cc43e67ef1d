/** The members of `WebSocket` and `EventSource` that a `StreamManager` uses. */
export interface StreamSource {
  readonly readyState: number;
  /** Calls `listener` for each event of a type, such as `'message'`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- every host has its own event types
  addEventListener(type: string, listener: (event: any) => void): void;
  /** Ends the connection. Events after this call are ignored. */
  close(): void;
}

/** The constructor of a `WebSocket` or an `EventSource`. */
export type StreamConstructor = new (url: string) => StreamSource;

/** A message of a web socket or a server-sent event. */
export interface StreamMessage {
  /** The data of the message, parsed if it was JSON text. */
  readonly data: unknown;
  /** The name of a server-sent event. `'message'` for unnamed events and web sockets. */
  readonly type: string;
}

export function constructorFor(
  url: string,
  given: { readonly WebSocket?: StreamConstructor; readonly EventSource?: StreamConstructor },
): StreamConstructor {
  const name = /^wss?:/.test(url) ? 'WebSocket' : 'EventSource';
  // The cast: either may be missing, but the types of a browser declare both.
  const host = globalThis as Partial<Record<typeof name, StreamConstructor>>;
  const constructor = given[name] ?? host[name];
  if (!constructor) {
    throw new TypeError(
      `\`${name}\` is missing here. Pass one to the StreamManager as the option \`${name}\`.`,
    );
  }
  return constructor;
}

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

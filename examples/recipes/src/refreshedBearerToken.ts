import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Sends a bearer token, refreshes it once after a 401, and ends with the session of its user.
 *
 * Use it with tokens that expire. The request that got the 401 waits for a new token and is sent
 * once more. Requests that fail in the meantime share that refresh. Requests that fail later,
 * because they were sent with the old token, don't refresh again. A second 401 is an error. Bodies
 * are sent again, so they must not be streams.
 *
 * A request belongs to the user who was signed in when it was made. After `session.end()` or the
 * next `session.start(token)`, it rejects with an `AbortError`, even while it waits. Endpoints
 * that need no user extend another class.
 *
 *     const refresh = new RestEndpoint({ path: '/auth/refresh', method: 'POST', process: ({ token }) => token });
 *     const session = new Session((signal) => refresh.extend({ signal })());
 *     class Api<O extends RestGenerics = any> extends RefreshingEndpoint<O> { override session = session; }
 */
export class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly session: Session;

  // Runs once per call, so that retries and refreshes keep the user of the call.
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    const { signal } = this.session;
    const init = await super.getRequestInit(body);
    return { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal };
  }

  // Not in getHeaders, because the second attempt needs a new token.
  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const token = await this.session.token();
    init.signal?.throwIfAborted();
    try {
      return await super.fetchResponse(input, withToken(init, token));
    } catch (error) {
      if (!(error instanceof NetworkError) || error.status !== 401) throw error;
      const renewed = await this.session.renew(token);
      init.signal?.throwIfAborted();
      return super.fetchResponse(input, withToken(init, renewed));
    }
  }
}

/** The signed-in user: the token that all endpoints share, and the way to a new one. */
export class Session {
  readonly #askForToken: (signal: AbortSignal) => Promise<string>;
  #user = new AbortController();
  #token: Promise<string> | undefined;

  /** @param askForToken Requests a token, such as with a refresh cookie. Aborts at sign-out. */
  constructor(askForToken: (signal: AbortSignal) => Promise<string>) {
    this.#askForToken = askForToken;
  }

  /** Aborts when the user signs out, or when another user signs in. */
  get signal(): AbortSignal {
    return this.#user.signal;
  }

  /** Call it after a sign-in. It aborts the requests of the previous user. */
  start(token: string): void {
    this.end();
    this.#user = new AbortController();
    this.#token = Promise.resolve(token);
  }

  /** Call it at sign-out. It aborts pending requests, and new ones fail until the next sign-in. */
  end(): void {
    this.#token = undefined;
    this.#user.abort(new DOMException('The session has ended.', 'AbortError'));
  }

  /** The current token. The first call requests one, unless a user has signed in. */
  async token(): Promise<string> {
    const { signal } = this;
    signal.throwIfAborted();
    const token = await (this.#token ??= this.#ask());
    // The user may have signed out while the token was requested.
    signal.throwIfAborted();
    return token;
  }

  /** Replaces a rejected token. All requests with that token get the same new one. */
  async renew(refused: string): Promise<string> {
    const { signal } = this;
    const known = this.#token;
    // The current token may already be newer, or pending.
    const current = await known;
    signal.throwIfAborted();
    if (this.#token === known && current === refused) this.#token = this.#ask();
    return this.token();
  }

  #ask(): Promise<string> {
    const asked = this.#askForToken(this.signal);
    // A failure isn't cached: the next request tries again.
    asked.catch(() => {
      if (this.#token === asked) this.#token = undefined;
    });
    return asked;
  }
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';

/**
 * A bearer token that is renewed once when the server answers 401.
 *
 * Use it with tokens that expire. The request that got the 401 waits for a new token and is sent once more; requests that
 * fail meanwhile share that one renewal, and those that fail afterwards because they left with the old token do not renew
 * again. A second 401 is an error. Bodies are sent again, so they must not be streams.
 *
 *     const session = new Session(() => askForToken());
 *     class Api<O extends RestGenerics = any> extends RefreshingEndpoint<O> { override session = session; }
 */
export class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly session: Session;

  // Not in getHeaders: the second attempt needs another token than the first.
  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const token = await this.session.token();
    try {
      return await super.fetchResponse(input, withToken(init, token));
    } catch (error) {
      if (!(error instanceof NetworkError) || error.status !== 401) throw error;
      return super.fetchResponse(input, withToken(init, await this.session.renew(token)));
    }
  }
}

/** One signed-in user: the token that all endpoints share, and the way to a new one. */
export class Session {
  readonly #askForToken: () => Promise<string>;
  #token: Promise<string> | undefined;

  /** @param askForToken Gets a token from the server, for example with a refresh cookie. */
  constructor(askForToken: () => Promise<string>) {
    this.#askForToken = askForToken;
  }

  /** The current token. The first call gets one. */
  token(): Promise<string> {
    return (this.#token ??= this.#ask());
  }

  /** A token in place of one that the server refused. All who held that one get the same new one. */
  async renew(refused: string): Promise<string> {
    const known = this.#token;
    // What is known may be newer already, or under way.
    const current = await known;
    if (this.#token === known && current === refused) this.#token = this.#ask();
    return this.token();
  }

  #ask(): Promise<string> {
    const asked = this.#askForToken();
    // A failure is not kept: the next request tries again.
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

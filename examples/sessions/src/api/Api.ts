import { NetworkError, type RestGenerics } from 'restitch';
import { Session } from '../../../recipes/src/refreshedBearerToken.js';
import { PublicApi } from './PublicApi.js';

/** The response to a sign-in and to a renewal. */
export interface SignIn {
  readonly accessToken: string;
  readonly userName: string;
}

/** Fetches the signed-in user, by a cookie that the page cannot read, and gets a new token. */
export const renewSignIn = new PublicApi({
  path: '/auth/renewal',
  method: 'POST',
  body: undefined,
}).extend({ timeout: 30_000 });

export const session = new Session(async (signal) => {
  const { accessToken }: SignIn = await renewSignIn.extend({ signal })();
  return accessToken;
});

/** An endpoint of the user who is signed in: the recipe for a renewed token, on top of what every endpoint here needs. */
export class Api<O extends RestGenerics = any> extends PublicApi<O> {
  /** Reads are sent again when the server fails for a moment. */
  override retry = { limit: 2, backoff: () => 50 };

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    const { signal } = session;
    return { ...(await super.getRequestInit(body)), signal };
  }

  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const token = await session.token();
    init.signal?.throwIfAborted();
    try {
      return await super.fetchResponse(input, withToken(init, token));
    } catch (error) {
      if (!(error instanceof NetworkError) || error.status !== 401) throw error;
      const renewed = await session.renew(token);
      init.signal?.throwIfAborted();
      return super.fetchResponse(input, withToken(init, renewed));
    }
  }
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

import { type Controller, logout } from 'restitch';
import { account } from './account.js';
import { renewSignIn, session } from './Api.js';
import { PublicApi } from './PublicApi.js';

/** The name and the password of one sign-in, by HTTP basic authentication. */
const signIn = new PublicApi({ path: '/auth/sign-in', method: 'POST', body: undefined });
const signOut = new PublicApi({ path: '/auth/sign-in', method: 'DELETE', body: undefined });

/** Signs in, for the requests from now on. */
export async function enter(name: string, password: string): Promise<void> {
  const authorization = `Basic ${btoa(`${name}:${password}`)}`;
  const { accessToken, userName } = await signIn.extend({
    getHeaders: (headers) => ({ ...signIn.getHeaders(headers), authorization }),
  })();
  session.start(accessToken);
  account.user = userName;
}

/** Goes on with the sign-in of an earlier visit, if there is one. */
export async function comeBack(): Promise<void> {
  const { accessToken, userName } = await renewSignIn();
  session.start(accessToken);
  account.user = userName;
}

/** Signs out: nothing of the user stays, neither a token, nor a request under way, nor what was read. */
export async function leave(controller: Controller): Promise<void> {
  session.end();
  logout(controller);
  account.user = undefined;
  await signOut();
}

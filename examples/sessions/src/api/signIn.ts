import { Controller, logout, LogoutManager } from 'restitch';
import { account } from './account.js';
import { renewSignIn, session, type SignIn } from './Api.js';
import { PublicApi } from './PublicApi.js';

/** The name and the password of one sign-in, by HTTP basic authentication. */
const signIn = new PublicApi({ path: '/auth/sign-in', method: 'POST', body: undefined });
const signOut = new PublicApi({ path: '/auth/sign-in', method: 'DELETE', body: undefined });

/** After the server has ended the sign-in, it refuses the renewal and every request. The page shows the sign-in form once. */
const signInEnds = new LogoutManager({ handleLogout: forget });

export const controller = new Controller({ managers: [signInEnds] });

/** Signs in, for the requests from now on. */
export async function enter(name: string, password: string): Promise<void> {
  const authorization = `Basic ${btoa(`${name}:${password}`)}`;
  begin(
    await signIn.extend({
      getHeaders: (headers) => ({ ...signIn.getHeaders(headers), authorization }),
    })(),
  );
}

/** Goes on with the sign-in of an earlier visit, if there is one. */
export async function comeBack(): Promise<void> {
  begin(await renewSignIn());
}

/** Signs out: nothing of the user stays, neither a token, nor a request under way, nor what was read. */
export async function leave(): Promise<void> {
  forget();
  await signOut();
}

function begin({ accessToken, userName }: SignIn): void {
  session.start(accessToken);
  // Readers may fetch again.
  controller.resetEntireStore();
  account.user = userName;
}

function forget(): void {
  session.end();
  logout(controller);
  account.user = undefined;
}

// @ts-check
import { randomUUID } from 'node:crypto';

/** The passwords of the users: this is a demonstration. */
const PASSWORDS = new Map([
  ['ada', 'engine'],
  ['bob', 'builder'],
]);

/** Users, their sign-ins, and the short-lived tokens that these get. */
export function createAuth() {
  let count = 0;
  /** @type {Map<string, string>} By token, whose it is: every one that was ever given. */
  const owners = new Map();
  /** @type {Set<string>} The tokens that are accepted now. */
  const accepted = new Set();
  /** @type {Map<string, string>} By the text in the cookie, who signed in. */
  const signIns = new Map();

  /** @param {string} user */
  const give = (user) => {
    count += 1;
    const token = `${user}-${count}`;
    owners.set(token, user);
    accepted.add(token);
    return token;
  };

  return {
    /**
     * @param {string | undefined} credentials The header `authorization`, with the scheme `Basic`.
     * @returns {{ user: string, token: string, cookie: string } | undefined}
     */
    signIn(credentials) {
      const [, encoded = ''] = /^Basic (.+)$/.exec(credentials ?? '') ?? [];
      const [user = '', password] = Buffer.from(encoded, 'base64').toString().split(':');
      if (password === undefined || PASSWORDS.get(user) !== password) return undefined;
      const cookie = randomUUID();
      signIns.set(cookie, user);
      return { user, token: give(user), cookie };
    },
    /** @param {string} cookie */
    renew(cookie) {
      const user = signIns.get(cookie);
      return user === undefined ? undefined : { user, token: give(user) };
    },
    /** @param {string} cookie */
    signOut(cookie) {
      const user = signIns.get(cookie);
      signIns.delete(cookie);
      for (const token of accepted) if (owners.get(token) === user) accepted.delete(token);
    },
    /** @param {string | undefined} authorization */
    userOf(authorization) {
      const token = authorization?.replace(/^Bearer /, '') ?? '';
      return accepted.has(token) ? owners.get(token) : undefined;
    },
    /** @param {string | undefined} authorization Whose token it is, accepted or not. */
    ownerOf: (authorization) => owners.get(authorization?.replace(/^Bearer /, '') ?? ''),
    /** From now on every token is refused that was given before. */
    expireTokens: () => accepted.clear(),
    /** Ends the sign-in of every user. */
    endSignIns: () => {
      accepted.clear();
      signIns.clear();
    },
  };
}

// @ts-check
import { createAuth } from './auth.mjs';
import { createNotes } from './notes.mjs';

/** Identifies the application; no secret, since a browser sends it. */
const API_KEY = 'sessions-example';

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {unknown} [body] Sent as JSON, bytes as they are.
 * @property {Record<string, string>} [headers]
 */

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path Below `/api`.
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Map<string, string>} cookies
 * @property {Buffer} bytes
 */

/** @param {Buffer} bytes @returns {Record<string, any>} */
const jsonOf = (bytes) => JSON.parse(bytes.toString() || '{}');

/** @param {number} status @param {string} message @returns {Reply} */
const refusal = (status, message) => ({ status, body: { message } });

/** The REST interface: each call needs the key, each change the CSRF token, and all but the sign-in a user's token. */
export function createApi() {
  const auth = createAuth();
  const notes = createNotes();

  /** @param {Call} call @returns {Reply | undefined} */
  function replyToAnybody({ method, path, headers, cookies }) {
    const cookie = cookies.get('sign_in') ?? '';
    switch (`${method} ${path}`) {
      case 'POST /auth/sign-in': {
        const entered = auth.signIn(headers.authorization);
        if (!entered) return refusal(403, 'Wrong name or password');
        return {
          status: 200,
          headers: {
            'set-cookie': `sign_in=${entered.cookie}; HttpOnly; SameSite=Strict; Path=/api/auth`,
          },
          body: { access_token: entered.token, user_name: entered.user },
        };
      }
      case 'POST /auth/renewal': {
        const renewed = auth.renew(cookie);
        return renewed
          ? { status: 200, body: { access_token: renewed.token, user_name: renewed.user } }
          : refusal(401, 'Please sign in');
      }
      case 'DELETE /auth/sign-in':
        auth.signOut(cookie);
        return { status: 204, headers: { 'set-cookie': 'sign_in=; Max-Age=0; Path=/api/auth' } };
      default:
        return undefined;
    }
  }

  /** @param {Call} call @param {string} user @returns {Reply} */
  function replyToUser({ method, path, headers, bytes }, user) {
    const [, kind, id, part] = path.split('/');
    if (kind === 'users' && id === user) {
      // Without the name, which the client knows.
      return { status: 200, body: { full_name: `${user[0]?.toUpperCase()}${user.slice(1)}` } };
    }
    if (kind !== 'notes') return refusal(404, `There is no ${path}`);
    if (id === undefined) {
      const all = notes.list(user);
      if (method === 'GET')
        return { status: 200, headers: { 'x-total-count': String(all.length) }, body: all };
      const fields = jsonOf(bytes);
      const errors = notes.problemsOf(fields);
      return Object.keys(errors).length > 0
        ? { status: 422, body: { message: 'The note is not complete', errors } }
        : { status: 201, body: notes.create(user, /** @type {{ title: string }} */ (fields)) };
    }
    const note = notes.find(user, id);
    if (!note) return refusal(404, `There is no note ${id}`);
    if (part === 'share') return { status: 404, body: { is_shared: false } };
    if (part === 'file' && method === 'PUT') {
      const name = decodeURIComponent(String(headers['x-file-name'] ?? 'file'));
      return { status: 201, body: notes.attach(user, note, name, bytes) };
    }
    if (part === 'file') {
      const file = notes.file(user, id);
      if (!file) return refusal(404, 'There is no file');
      const disposition = `attachment; filename="${note.file_name}"`;
      return { status: 200, headers: { 'content-disposition': disposition }, body: file };
    }
    if (method === 'DELETE') {
      notes.remove(user, id);
      return { status: 204 };
    }
    return { status: 200, body: note };
  }

  return {
    auth,
    notes,
    /** @param {Call} call @returns {Reply} */
    reply(call) {
      const { method, headers, cookies } = call;
      if (headers['x-api-key'] !== API_KEY) return refusal(403, 'The API key is missing');
      if (method !== 'GET' && headers['x-csrftoken'] !== cookies.get('csrftoken'))
        return refusal(403, 'The CSRF token does not match');
      const open = replyToAnybody(call);
      if (open) return open;
      const user = auth.userOf(headers.authorization);
      return user === undefined ? refusal(401, 'The token has expired') : replyToUser(call, user);
    },
  };
}

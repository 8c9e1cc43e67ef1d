import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Sends the token of a cookie in a header, for every request except GET, to the page's own origin.
 *
 * Use it with servers that keep the session in a cookie and compare a second, readable cookie with
 * a header. The names differ by server: these are the ones of Django. An API on another origin may
 * share the cookie, such as `api.example.com` with `www.example.com`. For such an API, override
 * `mayKnow` and set `requestInit: { credentials: 'include' }`.
 */
export class CsrfEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly csrfCookie: string = 'csrftoken';
  readonly csrfHeader: string = 'x-csrftoken';

  /** Returns true if the token may be sent to this origin. */
  mayKnow(origin: string): boolean {
    return origin === location.origin;
  }

  // Not in getHeaders, which doesn't know the URL of the request.
  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const url = new URL(typeof input === 'string' ? input : input.url, location.href);
    const isChange = init.method !== 'GET' && this.mayKnow(url.origin);
    const token = isChange ? readCookie(this.csrfCookie) : undefined;
    if (token === undefined) return super.fetchResponse(input, init);
    const headers = new Headers(init.headers);
    headers.set(this.csrfHeader, token);
    return super.fetchResponse(input, { ...init, headers });
  }
}

function readCookie(name: string): string | undefined {
  const start = `${name}=`;
  const pair = document.cookie.split(/;\s*/).find((cookie) => cookie.startsWith(start));
  return pair === undefined ? undefined : decode(pair.slice(start.length));
}

/** A cookie may contain any text. If it isn't percent-encoded, it is the token itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

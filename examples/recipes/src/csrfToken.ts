import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * The token from a cookie goes into a header, for every request but GET.
 *
 * Use it with servers that keep the session in a cookie and check a second, readable cookie against a header. The names
 * differ by server: the ones below are Django's. For another origin add `requestInit: { credentials: 'include' }`, and note
 * that a page reads only cookies of its own site.
 */
export class CsrfEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly csrfCookie: string = 'csrftoken';
  readonly csrfHeader: string = 'x-csrftoken';

  override getHeaders(headers: Record<string, string>): HeadersInit {
    const token = this.method === 'GET' ? undefined : readCookie(this.csrfCookie);
    return token === undefined ? headers : { ...headers, [this.csrfHeader]: token };
  }
}

function readCookie(name: string): string | undefined {
  const start = `${name}=`;
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(start.length));
}

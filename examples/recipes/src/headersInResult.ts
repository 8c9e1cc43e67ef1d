import { RestEndpoint, type RestGenerics } from 'restitch';

/** A list and the `link` header that came with it; null when there was none. */
export interface Linked<T> {
  link: string | null;
  results: T;
}

/**
 * A response header becomes part of the result.
 *
 * Use it when an API tells the next page in the `link` header. Lists, and everything that comes with such a header, resolve
 * to `{ link, results }`: a schema then has the same shape, for example `{ results: new Collection([Issue]) }`. In a browser
 * the server must name the header in `access-control-expose-headers` for another origin to see it.
 */
export class LinkHeaderEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response): Promise<any> {
    const results: unknown = await super.parseResponse(response);
    const link = response.headers.get('link');
    return link !== null || Array.isArray(results) ? { link, results } : results;
  }
}

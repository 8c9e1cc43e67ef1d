import { RestEndpoint, type RestGenerics } from 'restitch';

/** A list and the `link` header that came with it; null when there was none. */
export interface Linked<T> {
  link: string | null;
  results: T;
}

/**
 * Adds a response header to the result.
 *
 * Use it when an API sends the next page in the `link` header. Lists, and all responses with that
 * header, resolve to `{ link, results }`. The schema needs the same shape, for example `{ results:
 * new Collection([Issue]) }`. For another origin, a browser exposes the header only if the server
 * lists it in `access-control-expose-headers`.
 */
export class LinkHeaderEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response): Promise<any> {
    const results: unknown = await super.parseResponse(response);
    const link = response.headers.get('link');
    return link !== null || Array.isArray(results) ? { link, results } : results;
  }
}

import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * An endpoint class of your own keeps its members.
 *
 * Use it when a code base has a class around its HTTP client already: let it extend `RestEndpoint`, turn what has an
 * equivalent into a short alias, and delete the rest. Old call sites go on to work while new ones use `url()`,
 * `getRequestInit()`, `fetchResponse()`, `parseResponse()`, hooks and the cache.
 */
export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'https://api.example.com';

  /** The old name of `url()`. */
  buildUrl(...args: Parameters<RestEndpoint<O>['url']>): string {
    return this.url(...args);
  }

  /** The old way to send a request: returns the URL and the data. */
  async request(
    ...args: Parameters<RestEndpoint<O>['fetch']>
  ): Promise<{ readonly url: string; readonly data: any }> {
    return { url: this.buildUrl(...args), data: await this.fetch(...args) };
  }
}

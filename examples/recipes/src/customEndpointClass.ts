import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Keeps the members of your own endpoint class.
 *
 * Use it when a code base already has a class around its HTTP client. Let the class extend
 * `RestEndpoint`, turn members with an equivalent into short aliases, and delete the rest. Old
 * call sites still work, and new ones use `url()`, `getRequestInit()`, `fetchResponse()`,
 * `parseResponse()`, hooks, and the cache.
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

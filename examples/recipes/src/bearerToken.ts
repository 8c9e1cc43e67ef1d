import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Sends a bearer token, which is requested for each call.
 *
 * Use it when the token is available when a request starts. Extend it once with your `getToken`,
 * and use that class for every endpoint: `resource({ path, schema, Endpoint: Api })`. Without a
 * token, the request is sent without the header.
 */
export class BearerEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  getToken(): string | undefined | Promise<string | undefined> {
    return undefined;
  }

  override async getHeaders(headers: Record<string, string>): Promise<HeadersInit> {
    const token = await this.getToken();
    // Header names arrive in lower case, so this one replaces an existing one.
    return token ? { ...headers, authorization: `Bearer ${token}` } : headers;
  }
}

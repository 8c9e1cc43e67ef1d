import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Sends a static key in its own header.
 *
 * Use it for APIs that identify the application, not the user. Anybody can read what a browser
 * sends, so keep secret keys on a server.
 */
export class ApiKeyEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly apiKey: string = '';

  override getHeaders(headers: Record<string, string>): HeadersInit {
    return { ...headers, 'x-api-key': this.apiKey };
  }
}

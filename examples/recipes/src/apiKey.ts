import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * A static key in a header of its own.
 *
 * Use it for APIs that identify the application, not its user. What a browser sends anybody can read there: keep secret keys
 * on a server.
 */
export class ApiKeyEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly apiKey: string = '';

  override getHeaders(headers: Record<string, string>): HeadersInit {
    return { ...headers, 'x-api-key': this.apiKey };
  }
}

import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Sends a user name and a password with every request.
 *
 * Use it for APIs with HTTP basic authentication, over https only. Set both as options, or as
 * members of a subclass.
 */
export class BasicAuthEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly username: string = '';
  readonly password: string = '';

  override getHeaders(headers: Record<string, string>): HeadersInit {
    const credentials = toBase64(`${this.username}:${this.password}`);
    return { ...headers, authorization: `Basic ${credentials}` };
  }
}

// `btoa` alone fails for characters outside Latin-1.
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

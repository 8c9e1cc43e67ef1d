import { NetworkError, type RestGenerics } from 'restitch';
import { CsrfEndpoint } from '../../../recipes/src/csrfToken.js';
import { convertKeys, toCamelCase, toSnakeCase } from '../../../recipes/src/keyCase.js';
import { renameKeys } from '../../../recipes/src/keyRename.js';
import { account } from './account.js';

/** The server's name by the local one, and the other way around. */
const toServer = new Map([['text', 'bodyText']]);
const toLocal = new Map([['bodyText', 'text']]);

/** Every endpoint here has the API key, the CSRF token, names in the program's spelling, and the server's error messages. */
export class PublicApi<O extends RestGenerics = any> extends CsrfEndpoint<O> {
  override urlPrefix = '/api';
  override timeout = 10_000;

  /** Statuses besides the ok ones whose bodies are values. */
  readonly accepted: readonly number[] = [];

  override getHeaders(headers: Record<string, string>): HeadersInit {
    // `x-made-for` is left out while no user is signed in. The server's log names the user by it.
    return {
      ...headers,
      'x-api-key': 'sessions-example',
      'x-made-for': account.user,
    } as Record<string, string>;
  }

  override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(body ? convertKeys(renameKeys(body, toServer), toSnakeCase) : body);
  }

  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    try {
      return await super.fetchResponse(input, init);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      if (this.accepted.includes(error.status)) return error.response;
      error.message = error.body?.message ?? error.message;
      throw error;
    }
  }

  override process(value: unknown, ..._args: readonly unknown[]): any {
    return renameKeys(convertKeys(value, toCamelCase), toLocal);
  }
}

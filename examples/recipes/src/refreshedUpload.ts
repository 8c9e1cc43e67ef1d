import { type RestGenerics, uploadTransport } from 'restitch';
import { RefreshingEndpoint } from './refreshedBearerToken.js';

/**
 * An upload with progress and a token that is renewed, in one class.
 *
 * Use it where uploads need what the other requests need. `send` is the transport alone: whatever overrides
 * `fetchResponse` above it, such as the renewal of a token, works with it unchanged. An upload that got a 401 is sent once
 * more, so its progress begins again.
 */
export class AuthorizedUploadEndpoint<O extends RestGenerics = any> extends RefreshingEndpoint<O> {
  declare readonly onProgress?: (progress: number) => void;

  override send = uploadTransport;
}

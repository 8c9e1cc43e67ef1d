import { type RestGenerics, uploadTransport } from 'restitch';
import { RefreshingEndpoint } from '../../src/refreshedBearerToken.js';

/** An upload with progress and a token that is renewed: the two recipes in one class, as the guide shows it. */
export class AuthorizedUploadEndpoint<O extends RestGenerics = any> extends RefreshingEndpoint<O> {
  declare readonly onProgress?: (progress: number) => void;

  override send = uploadTransport;
}

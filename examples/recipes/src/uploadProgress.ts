import { RestEndpoint, type RestGenerics, uploadTransport } from 'restitch';

/**
 * Tells how much of a body has been sent.
 *
 * Use it in a browser for uploads with a progress bar: `fetch` cannot tell, XMLHttpRequest can. `onProgress` gets a number
 * from 0 to 1; it is an option, so `upload.extend({ onProgress })` listens to one upload. The browser asks the server's leave
 * (a preflight request) when the upload goes to another origin. For one endpoint the options `send: uploadTransport` and
 * `onProgress` do the same without a class.
 */
export class UploadEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly onProgress?: (progress: number) => void;

  override send = uploadTransport;
}

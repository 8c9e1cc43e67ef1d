import { RestEndpoint, type RestGenerics, uploadTransport } from 'restitch';

/**
 * Reports how much of a body has been sent.
 *
 * Use it in a browser for uploads with a progress bar: XMLHttpRequest reports progress, `fetch`
 * doesn't. `onProgress` gets a number from 0 to 1. It is an option, so use `upload.extend({
 * onProgress })` to follow one upload. If the upload goes to another origin, the browser sends a
 * preflight request first. For one endpoint, use the options `send: uploadTransport` and
 * `onProgress` without a class.
 */
export class UploadEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly onProgress?: (progress: number) => void;

  override send = uploadTransport;
}

import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Answers that are not ok are answers all the same.
 *
 * Use it when a status such as 404 or 409 comes with a body that you want as a value. By default only a status of 500 or more
 * is an error; `isFailure: (status) => status !== 404 && status >= 400` draws another line. With a schema, the bodies of
 * accepted answers are normalized like any other.
 */
export class LenientEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  isFailure(status: number): boolean {
    return status >= 500;
  }

  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const response = await this.send(input, init);
    if (this.isFailure(response.status)) throw new NetworkError(response);
    return response;
  }
}

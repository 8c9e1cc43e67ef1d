import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Treats some error statuses as success.
 *
 * Use it when a status such as 404 or 409 comes with a body that you need as a value. By default,
 * only a status of 500 or more is an error. Override `isFailure` to change that, for example
 * `isFailure: (status) => status !== 404 && status >= 400`. With a schema, accepted responses are
 * normalized like any other.
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

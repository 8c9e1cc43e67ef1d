import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { reportResponse } from '../compare/steps.js';
import { countRequest } from '../state/meter.js';
import { switches } from '../state/switches.js';

/** The server lists what other windows changed, so each one has a name. */
const windowName = Math.random().toString(36).slice(2);

/** Common to all requests of the page. There are no interceptors: a subclass overrides what it needs. */
export class TrackerEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = '/api';

  getHeaders(headers: Record<string, string>) {
    const { latency, failureRate } = switches.get();
    return {
      ...headers,
      'x-demo-latency': String(latency),
      'x-demo-failure-rate': String(failureRate),
      'x-demo-window': windowName,
    };
  }

  /** The step next to the network: counts what is really sent. */
  async send(input: RequestInfo, init: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    const finish = countRequest(init.method ?? 'GET', url);
    try {
      const response = await super.send(input, init);
      const body = await response.clone().arrayBuffer();
      finish(String(response.status), body.byteLength);
      return response;
    } catch (error) {
      finish(init.signal?.aborted ? 'aborted' : 'failed', 0);
      throw error;
    }
  }

  /** Replaces the message of a failure by the one that the server sent. */
  async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    try {
      return await super.fetchResponse(input, init);
    } catch (error) {
      if (error instanceof NetworkError) error.message = error.body?.error ?? error.message;
      throw error;
    }
  }

  /** Reports each response to the cache that this page is compared with. */
  async parseResponse(response: Response) {
    const value: unknown = await super.parseResponse(response);
    const { pathname, search } = new URL(response.url);
    reportResponse({ method: this.method, path: pathname.replace(/^\/api/, '') + search, value });
    return value;
  }
}

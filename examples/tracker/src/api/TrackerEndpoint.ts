import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { countRequest } from '../state/meter.js';
import { switches } from '../state/switches.js';

/** What all requests of the page have in common. There are no interceptors: a subclass overrides what it needs. */
export class TrackerEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  urlPrefix = '/api';

  getHeaders(headers: Record<string, string>) {
    const { latency, failureRate } = switches.get();
    return {
      ...headers,
      'x-demo-latency': String(latency),
      'x-demo-failure-rate': String(failureRate),
    };
  }

  /** Counts the request, and replaces the message of a failure by the one that the server sent. */
  async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const finish = countRequest(
      init.method ?? 'GET',
      typeof input === 'string' ? input : input.url,
    );
    try {
      const response = await super.fetchResponse(input, init);
      finish(String(response.status));
      return response;
    } catch (error) {
      finish(error instanceof NetworkError ? String(error.status) : 'failed');
      if (error instanceof NetworkError) error.message = error.body?.error ?? error.message;
      throw error;
    }
  }
}

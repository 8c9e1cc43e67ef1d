import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';

export function refuseMutation({ name, sideEffect }: EndpointInterface): void {
  if (sideEffect) {
    throw new RestitchError(
      'mutation-in-reader',
      isDevelopment
        ? `${name}: an endpoint with side effects cannot be read. A reader sends requests by itself, as often as it needs. ` +
            'Call `controller.fetch` in an event handler. If the request only reads, set `sideEffect: false` on the endpoint.'
        : name,
    );
  }
}

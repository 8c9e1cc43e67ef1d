import { NetworkError } from 'restitch';
import { expect, it } from 'vitest';
import { LenientEndpoint } from '../src/acceptedStatus.js';
import { failureOf, startServer } from './support/server.js';

const serve = () =>
  startServer(({ url }) => {
    const status = Number(url.slice(1));
    return { status, body: { status } };
  });

it.each([200, 400, 404, 409, 499])('%s resolves to its body', async (status) => {
  const { origin } = await serve();
  const get = new LenientEndpoint({ urlPrefix: origin, path: '/:status' });
  expect(await get({ status })).toEqual({ status });
});

it.each([500, 503])('%s is a NetworkError whose body can be read', async (status) => {
  const { origin } = await serve();
  const error = await failureOf(
    new LenientEndpoint({ urlPrefix: origin, path: '/:status' })({ status }),
  );
  if (!(error instanceof NetworkError)) throw error;
  expect(error.status).toBe(status);
  expect(await error.response.json()).toEqual({ status });
});

it('draws another line where an endpoint sets one, and keeps it when extended', async () => {
  const { origin } = await serve();
  const get = new LenientEndpoint({
    path: '/:status',
    isFailure: (status: number) => status >= 400 && status !== 404,
  }).extend({ urlPrefix: origin });
  expect(await get({ status: 404 })).toEqual({ status: 404 });
  expect(await failureOf(get({ status: 409 }))).toBeInstanceOf(NetworkError);
});

import { NetworkError, RestEndpoint, uploadTransport } from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { openWorld, type Reply } from '../../../packages/restitch/test/support/browserWorld.js';
import { UploadEndpoint } from '../src/uploadProgress.js';

const KEY = 'POST /files/7';

/** An upload to a real server that responds with `reply`, and its reported progress. */
async function openUpload(reply: Reply) {
  const world = await openWorld({ [KEY]: reply, 'PUT /files/7': reply });
  const progress: number[] = [];
  const upload = new UploadEndpoint({
    urlPrefix: world.url,
    path: '/files/:id',
    method: 'POST',
    body: {} as Blob | FormData | string | { name: string },
    onProgress: (value: number) => void progress.push(value),
  });
  return { world, progress, upload };
}

const failureOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    (value) => expect.fail(`resolved to ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

describe('an upload', () => {
  it('sends the body, reports its progress up to 1, and resolves to the response', async () => {
    const { world, progress, upload } = await openUpload({ status: 201, body: { id: '7' } });
    const text = 'x'.repeat(3_000_000);
    expect(await upload({ id: 7 }, new Blob([text]))).toEqual({ id: '7' });
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.every((value) => value >= 0 && value <= 1)).toBe(true);
    const [request] = await world.requests();
    expect(request?.body?.length).toBe(text.length);
  });

  it('may be a form or JSON, and have another method', async () => {
    const { world, upload } = await openUpload({ body: {} });
    const form = new FormData();
    form.append('file', new Blob(['content']), 'a.txt');
    await upload({ id: 7 }, form);
    await upload.extend({ method: 'PUT' })({ id: 7 }, { name: 'a' });
    const [first, second] = await world.requests();
    expect(first?.body).toContain('filename="a.txt"');
    expect(second).toMatchObject({ method: 'PUT', body: '{"name":"a"}' });
  });

  it('is a POST without a method', async () => {
    const { world, upload } = await openUpload({ body: { ok: true } });
    const response = await upload.fetchResponse(`${world.url}/files/7`, { body: 'x' });
    expect(await response.json()).toEqual({ ok: true });
    expect((await world.requests())[0]).toMatchObject({ method: 'POST', body: 'x' });
  });

  it('works without a listener', async () => {
    const { upload } = await openUpload({ body: { ok: true } });
    expect(await upload.extend({ onProgress: undefined })({ id: 7 }, 'x')).toEqual({ ok: true });
  });
});

describe('without a class', () => {
  it('`send` and `onProgress` are options of one endpoint', async () => {
    const { world } = await openUpload({ status: 201, body: { id: '7' } });
    const progress: number[] = [];
    const upload = new RestEndpoint({
      urlPrefix: world.url,
      path: '/files/:id',
      method: 'POST',
      body: {} as Blob,
      send: uploadTransport,
      onProgress: (value: number) => void progress.push(value),
    });
    expect(await upload({ id: 7 }, new Blob(['x'.repeat(100_000)]))).toEqual({ id: '7' });
    expect(progress.at(-1)).toBe(1);
  });

  it('an override of `fetchResponse` may send by itself, and judge the status by itself', async () => {
    const { world } = await openUpload({ status: 413, body: { error: 'no room' } });
    const progress: number[] = [];
    class OwnUpload extends RestEndpoint {
      readonly onProgress = (value: number): void => void progress.push(value);

      override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
        const response = await uploadTransport.call(this, input, init);
        if (!response.ok) throw new NetworkError(response);
        return response;
      }
    }
    const upload = new OwnUpload({ urlPrefix: world.url, path: '/files/:id', method: 'POST' });
    const error = await failureOf(upload({ id: 7 }, 'x'));
    expect(error).toMatchObject({ status: 413, body: { error: 'no room' } });
    expect(await error.response.clone().json()).toEqual({ error: 'no room' });
    await world.reply({ [KEY]: { body: { ok: true } } });
    expect(await upload({ id: 7 }, 'x')).toEqual({ ok: true });
    expect(progress.at(-1)).toBe(1);
    await world.reply({ [KEY]: { drop: true } });
    const failure = await failureOf(upload({ id: 7 }, 'x'));
    expect(failure).toBeInstanceOf(TypeError);
    expect(upload.errorPolicy(failure)).toBe('soft');
  });
});

describe('the response', () => {
  it('has the status, its text, the headers, the body and the URL of the response', async () => {
    const { world, upload } = await openUpload({
      status: 202,
      headers: { 'x-receipt': 'a: b', 'access-control-expose-headers': '*' },
      body: { ok: true },
    });
    const url = `${world.url}/files/7`;
    const response = await upload.fetchResponse(url, { method: 'POST', body: 'x' });
    expect(response).toMatchObject({ status: 202, statusText: 'Accepted', ok: true, url });
    expect(response.headers.get('x-receipt')).toBe('a: b');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ ok: true });
  });

  it.each([204, 205])('after a %s has no body', async (status) => {
    const { world, upload } = await openUpload({ status });
    expect(await upload({ id: 7 }, 'x')).toBeNull();
    const response = await upload.fetchResponse(`${world.url}/files/7`, { body: 'x' });
    expect([response.status, response.body]).toEqual([status, null]);
  });
});

describe('a failed upload', () => {
  it.each([304, 400, 413, 500])('rejects with a NetworkError for %s', async (status) => {
    const { upload, world } = await openUpload({
      status,
      ...(status !== 304 && { body: { error: 'no room' } }),
    });
    const error = await failureOf(upload({ id: 7 }, 'x'));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.status).toBe(status);
    expect(error.message).toContain(`${world.url}/files/7: ${status}`);
    expect(error.body).toEqual(status === 304 ? undefined : { error: 'no room' });
    const expected = status === 304 ? '' : '{"error":"no room"}';
    expect(await error.response.text()).toBe(expected);
  });

  it('rejects with a TypeError when the connection fails', async () => {
    const { upload } = await openUpload({ drop: true });
    const error = await failureOf(upload({ id: 7 }, 'x'));
    expect(error).toBeInstanceOf(TypeError);
    expect(upload.errorPolicy(error)).toBe('soft');
  });
});

describe('an abort', () => {
  it('before the upload rejects with an AbortError and sends nothing', async () => {
    const { world, upload } = await openUpload({ body: {} });
    const signal = AbortSignal.abort();
    const error = await failureOf(upload.extend({ signal })({ id: 7 }, 'x'));
    expect(error).toBeInstanceOf(DOMException);
    expect(error.name).toBe('AbortError');
    // Another one, so that a request sent by mistake would have arrived.
    await upload({ id: 7 }, 'later');
    expect((await world.requests()).map(({ body }) => body)).toEqual(['later']);
  });

  it('during the upload rejects with an AbortError', async () => {
    const { world, upload } = await openUpload({ held: true });
    const controller = new AbortController();
    const call = failureOf(upload.extend({ signal: controller.signal })({ id: 7 }, 'x'));
    await vi.waitFor(async () => expect(await world.requests()).toHaveLength(1));
    controller.abort();
    const error = await call;
    expect(error).toBeInstanceOf(DOMException);
    expect(error.name).toBe('AbortError');
    await world.release(KEY);
  });

  it('while the body is being sent stops it', async () => {
    const { upload } = await openUpload({ body: {} });
    const controller = new AbortController();
    const abortAtOnce = upload.extend({
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    const body = new Blob([new Uint8Array(30_000_000)]);
    expect((await failureOf(abortAtOnce({ id: 7 }, body))).name).toBe('AbortError');
  });

  it('after the response changes nothing', async () => {
    const { upload } = await openUpload({ body: { ok: true } });
    const controller = new AbortController();
    const result = await upload.extend({ signal: controller.signal })({ id: 7 }, 'x');
    controller.abort();
    expect(result).toEqual({ ok: true });
  });

  it('by the timeout of the endpoint rejects with a TimeoutError', async () => {
    const { world, upload } = await openUpload({ held: true });
    const error = await failureOf(upload.extend({ timeout: 50 })({ id: 7 }, 'x'));
    expect(error.name).toBe('TimeoutError');
    await world.release(KEY);
  });
});

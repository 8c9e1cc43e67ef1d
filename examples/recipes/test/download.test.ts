import { Controller, RestEndpoint } from 'restitch';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { DownloadEndpoint, filenameOf, type NamedFile } from '../src/download.js';
import { startServer } from './support/server.js';

const bytes = Uint8Array.of(0, 255, 10, 13, 128);
const serve = (disposition?: string, body: Uint8Array = bytes) =>
  startServer(() => ({
    headers: {
      'content-type': 'application/pdf',
      ...(disposition !== undefined && { 'content-disposition': disposition }),
    },
    body,
  }));

describe('a file with its name', () => {
  it('is a Blob and the name in the header', async () => {
    const { origin } = await serve('attachment; filename="report 1.pdf"');
    const getReport = new DownloadEndpoint({ urlPrefix: origin, path: '/reports/:id' });
    const file = await getReport({ id: 1 });
    expectTypeOf(file).toEqualTypeOf<NamedFile>();
    expect(file.filename).toBe('report 1.pdf');
    expect(file.blob.type).toBe('application/pdf');
    expect(new Uint8Array(await file.blob.arrayBuffer())).toEqual(bytes);
  });

  it('reaches callers of a controller, and each call fetches again', async () => {
    const server = await serve('attachment; filename=report.pdf');
    const getReport = new DownloadEndpoint({ urlPrefix: server.origin, path: '/reports/:id' });
    const controller = new Controller();
    const { blob, filename } = await controller.fetch(getReport, { id: '1' });
    expect([blob.size, filename]).toEqual([5, 'report.pdf']);
    await controller.fetchIfStale(getReport, { id: '1' });
    expect(server.seen).toHaveLength(2);
  });

  it('that is empty is an empty Blob', async () => {
    const { origin } = await serve(undefined, new Uint8Array());
    const file = await new DownloadEndpoint({ urlPrefix: origin, path: '/x' })();
    expect([file.blob.size, file.filename]).toEqual([0, 'download']);
  });

  it('stays one in an extended endpoint', async () => {
    const { origin } = await serve('attachment; filename=a.csv');
    const get = new DownloadEndpoint({ path: '/reports/:id' }).extend({
      urlPrefix: origin,
      path: '/exports/:year',
    });
    const file = await get({ year: 2026 });
    expectTypeOf(file).toEqualTypeOf<NamedFile>();
    expect(file.filename).toBe('a.csv');
  });
});

describe('the name', () => {
  it.each([
    ['attachment; filename=a.pdf', 'a.pdf'],
    ['attachment; filename="a; b.pdf"; size=5', 'a; b.pdf'],
    ['attachment; filename="say \\"hi\\".pdf"', 'say "hi".pdf'],
    ['attachment; FileName = a.pdf ; size=5', 'a.pdf'],
    ["attachment; filename*=UTF-8''b.pdf; filename=a.pdf", 'a.pdf'],
    ["attachment; filename*=UTF-8''b.pdf", 'download'],
    ['attachment; filename=""', 'download'],
    ['attachment', 'download'],
    [undefined, 'download'],
  ])('in %s is %s', (header, name) => {
    const headers = new Headers(header === undefined ? {} : { 'content-disposition': header });
    expect(filenameOf(new Response(null, { headers }))).toBe(name);
  });
});

describe('a file without its name', () => {
  it('is a Blob with `content: blob`', async () => {
    const { origin } = await serve();
    const getImage = new RestEndpoint({
      urlPrefix: origin,
      path: '/images/:id',
      content: 'blob',
      dataExpiryLength: 0,
    });
    const blob = await new Controller().fetch(getImage, { id: '1' });
    expectTypeOf(blob).toEqualTypeOf<Blob>();
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  });

  it('is its bytes with `content: arrayBuffer`', async () => {
    const { origin } = await serve();
    const getBytes = new RestEndpoint({
      urlPrefix: origin,
      path: '/images/:id',
      content: 'arrayBuffer',
      dataExpiryLength: 0,
    });
    const buffer = await new Controller().fetch(getBytes, { id: '1' });
    expectTypeOf(buffer).toEqualTypeOf<ArrayBuffer>();
    expect(new Uint8Array(buffer)).toEqual(bytes);
  });
});

/** A wildcard parameter is an array of segments. In a primary key, it is the joined path. */
import { Controller, Entity, Invalidate, resource, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

class File extends Entity {
  path = '';
  size = 0;
  override pk() {
    return this.path;
  }
}
class Blob extends Entity {
  repo = '';
  path = '';
  override pk() {
    return `${this.repo}:${this.path}`;
  }
}
class Folder extends Entity {
  path: readonly string[] = [];
  override pk() {
    return this.path.join('>');
  }
}

const server = await serverOfFile();
const urlPrefix = server.origin;
const path = '/files/*path';
const Files = resource({ urlPrefix, path, schema: File, optimistic: true });
const args = { path: ['a', 'b'] };
let controller: Controller;
beforeEach(async () => {
  controller = new Controller();
  server.respond(({ url }) =>
    url === '/files'
      ? [
          { path: 'a/b', size: 1 },
          { path: 'c', size: 2 },
        ]
      : { path: url.slice('/files/'.length) },
  );
  await controller.fetch(Files.getList);
});
const paths = () => controller.getResponse(Files.getList)?.map((file) => file.path);

describe('a record whose path parameter is a wildcard', () => {
  it('is read by the joined path', async () => {
    expect(controller.getResponse(Files.get, args)).toBe(controller.get(File, 'a/b'));
    expect(await controller.fetch(Files.get, args)).toMatchObject({ path: 'a/b' });
    expect(await controller.fetchIfStale(Files.get, { path: ['c'] })).toMatchObject({ path: 'c' });
  });

  it('shows an optimistic change at once', async () => {
    const onError = vi.spyOn(console, 'error').mockImplementation(() => {});
    const change = controller.fetch(Files.partialUpdate, args, { size: 5 });
    expect(controller.get(File, 'a/b')).toMatchObject({ path: 'a/b', size: 5 });
    await change;
    expect(onError).not.toHaveBeenCalled();
    expect(controller.get(File, 'a/b')).toMatchObject({ path: 'a/b', size: 5 });
    onError.mockRestore();
  });

  it('is deleted by the joined path', async () => {
    server.respond((_, response) => void response.writeHead(204).end());
    await controller.fetch(Files.delete, args);
    expect(paths()).toEqual(['c']);
    const schema = new Invalidate(File);
    await controller.fetch(new RestEndpoint({ urlPrefix, path, method: 'DELETE', schema }), {
      path: ['c'],
    });
    expect(paths()).toEqual([]);
  });

  it('can have the path as a part of its key, or as an array', () => {
    controller.set(Blob, { repo: 'r', path: 'a/b' }, {});
    const getBlob = new RestEndpoint({ path: '/repos/:repo/*path', schema: Blob });
    expect(controller.getResponse(getBlob, { repo: 'r', ...args })).toMatchObject({ path: 'a/b' });
    controller.set(Folder, args, {});
    expect(controller.get(Folder, 'a>b')).toMatchObject(args);
  });
});

describe.each([
  ['/repos/:repo/*path', true],
  ['/repos/:repo{/*path}', true],
  ['/repos/:repo/*"path"', true],
  ['/*path/of/:repo', true],
  ['/:repo/*path/cover', false],
  ['/v1\\:x/:repo/*path?full=1', true],
  ['/:repo/*path/v1\\:x', false],
])('a response without the sent fields at %s', (updatePath, isOfRecord) => {
  it.each([204, 200])('%i', async (status) => {
    server.respond((_, response) =>
      status === 204 ? void response.writeHead(204).end() : { path: 'a/b' },
    );
    const update = new RestEndpoint({
      urlPrefix,
      path: updatePath,
      method: 'PATCH',
      schema: File,
      searchParams: {} as { path: string[] },
      body: {} as { size: number },
    });
    await controller.fetch(update, { repo: 'r', ...args }, { size: 5 });
    expect(controller.get(File, 'a/b')?.size).toBe(isOfRecord ? 5 : 1);
  });
});

it('arguments whose `pk` is an object name no record', () => {
  expect(controller.get(File, { path: { size: 1 } } as never)).toBeUndefined();
  expect(controller.get(File, { path: [] } as never)).toBeUndefined();
});

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { minified } from '../support/minified.js';

const PROGRAM = fileURLToPath(new URL('listsProgram.ts', import.meta.url));

async function reply(request: IncomingMessage): Promise<unknown> {
  const { method, url = '/' } = request;
  if (method !== 'GET') return method === 'POST' ? json(request) : {};
  const { pathname, searchParams } = new URL(url, 'http://host');
  const team = searchParams.get('team') ?? 'a';
  const tasks = [{ id: team === 'a' ? '1' : '2', team }];
  if (pathname === '/projects/1') return { id: '1', tasks };
  return pathname === '/envelopes' ? { data: tasks } : tasks;
}

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    void reply(request).then((value) => response.end(JSON.stringify(value)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function runIn(contents: string): Promise<unknown> {
  const stdin = { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) };
  const code = [...(await minified({ stdin })).values()].join('');
  const { run } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it('the lists of `resource()` are the same lists in a program without the class `Collection`', async () => {
  const program = `export { run } from ${JSON.stringify(PROGRAM)};`;
  const without = await runIn(program);
  expect(without).toEqual({
    before: { a: ['1'], b: ['2'], sorted: ['1'], envelope: ['1'], others: ['1'], nested: ['1'] },
    created: {
      a: ['1', '3'],
      b: ['2'],
      sorted: ['1', '3'],
      envelope: ['1'],
      others: ['1'],
      nested: ['1'],
    },
    after: {
      a: ['3'],
      b: ['2'],
      sorted: ['3'],
      envelope: ['4'],
      others: ['5'],
      nested: [],
    },
  });
  expect(await runIn(`${program} export { Collection } from 'restitch';`)).toEqual(without);
});

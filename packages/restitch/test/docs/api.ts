import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Row = Record<string, unknown>;

/** What the API of the documents holds when a program begins. */
const seed = (): Record<string, Row[]> => {
  const ada = { id: '7', name: 'Ada' };
  return {
    users: [ada, { id: '8', name: 'Grace' }],
    posts: [
      { id: '1', title: 'Notes on the engine', author: ada, votes: 0 },
      { id: '2', title: 'On numbers', author: ada, votes: 3 },
      { id: '3', title: 'On compilers', author: { id: '8', name: 'Grace' }, votes: 5 },
    ],
    todos: [
      { id: '1', title: 'Buy milk', done: false, userId: '7' },
      { id: '2', title: 'Call Grace', done: true, userId: '7' },
    ],
    rates: [{ id: 'EUR', currency: 'EUR', rate: '1.25' }],
  };
};

/** The server behind `https://api.example.com` in the programs of the documents: rows by kind, kept in memory. */
export async function startApi(): Promise<{ origin: string; close: () => Promise<void> }> {
  const tables = seed();
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void respond(tables, request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function respond(
  tables: Record<string, Row[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body = (text ? JSON.parse(text) : {}) as Row;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
  const [, kind = '', id, action] = pathname.split('/');
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  // Never gets a response: for time-outs.
  if (kind === 'reports') return;
  const rows = tables[kind] ?? [];
  if (id === undefined) {
    if (request.method === 'GET') return send(200, listOf(rows, searchParams));
    if (body['name'] === '') return send(422, { errors: { name: 'must not be empty' } });
    const created = { ...body, id: String(rows.length + 1) };
    rows.push(created);
    return send(201, created);
  }
  if (id === 'bulk') {
    const { ids, ...fields } = body as { ids: unknown[] };
    const named = rows.filter((each) => ids.includes(each['id']));
    if (request.method !== 'DELETE')
      return send(
        200,
        named.map((each) => Object.assign(each, fields)),
      );
    for (const each of named) rows.splice(rows.indexOf(each), 1);
    return void response.writeHead(204).end();
  }
  const row = rows.find((each) => each['id'] === id);
  if (!row) return send(404, { error: `There is no ${kind}/${id}` });
  if (action === 'vote') row['votes'] = Number(row['votes']) + 1;
  else if (request.method === 'DELETE') rows.splice(rows.indexOf(row), 1);
  else if (request.method !== 'GET') Object.assign(row, body);
  send(200, row);
}

/** Filtered by fields; with a `cursor`, and for the first page with `size`, one page of them. */
function listOf(rows: readonly Row[], query: URLSearchParams): unknown {
  const size = query.get('size');
  const filters = [...query].filter(([name]) => name !== 'cursor' && name !== 'size');
  const matching = rows.filter((row) => filters.every(([name, value]) => row[name] === value));
  if (size === null) return matching;
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(size);
  return {
    results: matching.slice(start, end),
    nextCursor: end < matching.length ? String(end) : null,
  };
}

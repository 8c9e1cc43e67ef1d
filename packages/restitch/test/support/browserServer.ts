import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { Reply, SeenRequest } from './browserWorld.js';

/**
 * A real HTTP server for tests that run inside a browser, started once for the run.
 *
 * Each test asks for a world of its own (`openWorld` in browserWorld.ts), so that files running at the same
 * time do not see each other:
 *
 *     /<world>/…            what the code under test calls; responds as scripted, else with 404
 *     /control/<world>      PUT scripts replies, GET lists requests seen, POST releases held requests
 *     /control/<world>/preflights   GET lists the OPTIONS requests that the browser sent by itself
 */
interface World {
  replies: Map<string, Reply>;
  seen: SeenRequest[];
  preflights: SeenRequest[];
  held: Map<string, (() => void)[]>;
  /** Released before a request arrived, which a busy machine sends late. */
  released: Set<string>;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const worlds = new Map<string, World>();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(worlds, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `listen` on a port, not on a pipe, so the address is not a string.
  const { port } = server.address() as AddressInfo;
  project.provide('serverUrl', `http://127.0.0.1:${port}`);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

async function handle(
  worlds: Map<string, World>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The test page has another origin.
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  response.setHeader('access-control-allow-methods', '*');
  // A browser silently asks again when a connection it kept open closes without a response: `drop` would be seen twice.
  response.shouldKeepAlive = false;
  const method = request.method ?? 'GET';
  const text = await readText(request);
  const [, first = '', ...rest] = (request.url ?? '').split('/');
  if (method === 'OPTIONS') {
    const { preflights } = worldOf(worlds, first);
    preflights.push({ method, path: `/${rest.join('/')}`, body: undefined });
    return void response.writeHead(204).end();
  }
  if (first === 'control') {
    const [name = '', list] = rest;
    return control(worldOf(worlds, name), method, list, text, response);
  }

  const world = worldOf(worlds, first);
  const path = `/${rest.join('/')}`;
  const key = `${method} ${path}`;
  world.seen.push({ method, path, body: text === '' ? undefined : text });
  const reply = world.replies.get(key) ?? { status: 404, body: { error: `no reply for ${key}` } };
  if (reply.held && !world.released.delete(key)) {
    await new Promise<void>((go) => world.held.set(key, [...(world.held.get(key) ?? []), go]));
  }
  if (reply.drop) return void response.destroy();
  send(response, reply);
}

function control(
  world: World,
  method: string,
  list: string | undefined,
  text: string,
  response: ServerResponse,
): void {
  if (method === 'PUT') {
    for (const [key, reply] of Object.entries(JSON.parse(text) as Record<string, Reply>)) {
      world.replies.set(key, reply);
    }
  }
  if (method === 'POST') {
    const key = JSON.parse(text) as string;
    const held = world.held.get(key);
    if (held === undefined) world.released.add(key);
    for (const go of held ?? []) go();
    world.held.delete(key);
  }
  send(response, { body: list === 'preflights' ? world.preflights : world.seen });
}

function send(response: ServerResponse, reply: Reply): void {
  const isText = typeof reply.body === 'string';
  response.writeHead(reply.status ?? 200, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...reply.headers,
  });
  if (reply.body === undefined) response.end();
  else response.end(isText ? reply.body : JSON.stringify(reply.body));
}

function worldOf(worlds: Map<string, World>, name: string): World {
  let world = worlds.get(name);
  if (!world) {
    world = { replies: new Map(), seen: [], preflights: [], held: new Map(), released: new Set() };
    worlds.set(name, world);
  }
  return world;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return text;
}

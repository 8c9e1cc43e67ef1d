import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createElement, type ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Collection, Controller, Endpoint, Entity } from 'restitch';
import { AsyncBoundary, DataProvider, useSuspense } from 'restitch/react';
import { stateTransform } from 'restitch/ssr';
import { afterAll, beforeAll, expect, it } from 'vitest';

class Account extends Entity {
  id = '';
  secret = '';
  static override key = 'Account';
}

class Message extends Entity {
  id = '';
  text = '';
  static override key = 'Message';
}

/** Whose request is being served: what a cookie says elsewhere. */
const user = new AsyncLocalStorage<string>();

const visitors = 1_000;
let arrived = 0;
let allArrived: () => void = () => {};
const everybody = new Promise<void>((resolve) => (allArrived = resolve));

/** Responds when every visitor has asked, at different times, so that requests overtake one another. */
let turn = 0;
async function respond<T>(make: (name: string) => T): Promise<T> {
  const name = user.getStore() ?? 'nobody';
  await everybody;
  turn += 1;
  for (let wait = turn % 7; wait > 0; wait -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return make(name);
}

// Endpoints are shared by all requests, and so are their keys: both users ask the very same questions.
const getAccount = new Endpoint(
  () => respond((name) => ({ id: 'me', secret: `secret of ${name}` })),
  { name: 'getAccount', schema: Account },
);
const getMessages = new Endpoint(
  () => respond((name) => [1, 2].map((id) => ({ id, text: `message ${id} to ${name}` }))),
  { name: 'getMessages', schema: new Collection([Message]) },
);
const getNotes = new Endpoint(() => respond((name) => ({ note: `note of ${name}` })), {
  name: 'getNotes',
});

function Secret(): ReactNode {
  return createElement('p', null, useSuspense(getAccount).secret);
}

function Messages(): ReactNode {
  const messages = useSuspense(getMessages);
  return createElement('p', null, messages.map(({ text }) => text).join());
}

function Notes(): ReactNode {
  return createElement('p', null, useSuspense(getNotes).note);
}

function page(controller: Controller): ReactNode {
  const parts = [Secret, Messages, Notes].map((Part, key) =>
    createElement(AsyncBoundary, { key, fallback: '…' }, createElement(Part)),
  );
  const body = createElement('body', null, parts);
  return createElement(DataProvider, { controller }, createElement('html', null, body));
}

// However busy the machine is, no visitor is turned away.
const patient = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };
const server = createServer(patient, (request, response) => {
  arrived += 1;
  if (arrived === visitors) allArrived();
  const name = new URL(request.url ?? '/', 'http://site').searchParams.get('user') ?? '';
  user.run(name, () => {
    const controller = new Controller();
    const html = stateTransform(controller);
    const { pipe } = renderToPipeableStream(page(controller), {
      onShellReady() {
        html.pipe(response);
        pipe(html);
      },
    });
  });
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, resolve),
  );
  // `listen` on a port, not on a pipe, so the address is not a string.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** `fetch` gives up on a connection that a busy machine does not respond on in ten seconds; this waits. */
function download(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, (response) => resolve(text(response))).on('error', reject);
  });
}

it(
  'a page of 1 000 concurrent requests for two users holds no datum of the other user',
  { tags: 'scale', timeout: 300_000 },
  async () => {
    const names = Array.from({ length: visitors }, (_, index) =>
      index % 2 === 0 ? 'Ada' : 'Grace',
    );
    const pages = await Promise.all(
      names.map(async (name) => ({ name, html: await download(`${origin}/?user=${name}`) })),
    );
    for (const { name, html } of pages) {
      const other = name === 'Ada' ? 'Grace' : 'Ada';
      expect(html).not.toContain(other);
      // Three boundaries that waited, and each datum twice: as HTML and as data.
      expect(html.match(/<!--\$\?-->/g)).toHaveLength(3);
      expect(html.split(`secret of ${name}`)).toHaveLength(3);
      expect(html.split(`note of ${name}`)).toHaveLength(3);
      expect(html.split(`message 2 to ${name}`)).toHaveLength(3);
    }
  },
);

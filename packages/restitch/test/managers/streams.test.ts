import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Endpoint,
  Entity,
  type Manager,
  PollingManager,
  StreamManager,
  type StreamManagerOptions,
} from 'restitch';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Clock } from '../support/clock.js';
import { NodeEventSource } from '../support/eventSource.js';

class Price extends Entity {
  id = '';
  amount = 0;
  static override key = 'Price';
}

/** One server that streams, whichever way: what it is sent, whom it holds. */
interface Server {
  readonly url: string;
  /** How many clients are connected. */
  clients(): number;
  /** How many connected so far. */
  readonly count: { value: number };
  send(value: unknown): void;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

const ends: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function webSocketServer(): Promise<Server> {
  const server = new WebSocketServer({ port: 0 });
  await new Promise((resolve) => server.on('listening', resolve));
  const count = { value: 0 };
  server.on('connection', () => (count.value += 1));
  return {
    url: `ws://localhost:${(server.address() as AddressInfo).port}/prices`,
    clients: () => server.clients.size,
    count,
    send: (value) => server.clients.forEach((client) => client.send(JSON.stringify(value))),
    cut: () => server.clients.forEach((client) => client.terminate()),
    close: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
}

async function eventServer(): Promise<Server> {
  const clients = new Set<ServerResponse>();
  const count = { value: 0 };
  const server = createServer((_, response) => {
    count.value += 1;
    clients.add(response);
    response.on('close', () => clients.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/prices`,
    clients: () => clients.size,
    count,
    send: (value) =>
      clients.forEach((client) => client.write(`event: price\ndata: ${JSON.stringify(value)}\n\n`)),
    cut: () => clients.forEach((client) => client.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 5_000, interval: 5 });

function open(server: Server, options: Partial<StreamManagerOptions> = {}, more: Manager[] = []) {
  const clock = new Clock();
  let amount = 1;
  const getPrice = new Endpoint(async ({ id }: { id: string }) => ({ id, amount: (amount += 1) }), {
    name: 'getPrice',
    schema: Price,
  });
  const streams = new StreamManager({
    url: ({ endpoint }) => (endpoint === getPrice ? server.url : undefined),
    onMessage: ({ data }, { set }) => {
      // The cast: what the server here sends.
      const price = data as { id: string };
      set(Price, { id: price.id }, price);
    },
    events: ['price'],
    WebSocket,
    EventSource: NodeEventSource,
    ...options,
  });
  const controller = new Controller({
    managers: [streams, ...more],
    environment: clock.environment,
  });
  ends.push(controller.dispose, () => server.close());
  const price = (id: string): number | undefined => controller.get(Price, { id })?.amount;
  return { clock, controller, getPrice, price };
}

describe.each([
  ['a web socket', webSocketServer],
  ['server-sent events', eventServer],
])('%s', (_, startServer) => {
  it('is open while somebody subscribes, one for all, and brings what is written', async () => {
    const server = await startServer();
    const { controller, getPrice, price, clock } = open(server);
    expect(server.clients()).toBe(0);
    controller.subscribe(getPrice, { id: 'a' });
    controller.subscribe(getPrice, { id: 'b' });
    await until(() => server.clients() === 1);
    server.send({ id: 'a', amount: 10 });
    server.send({ id: 'b', amount: 20 });
    await until(() => price('b') === 20);
    expect([price('a'), server.count.value]).toEqual([10, 1]);
    controller.unsubscribe(getPrice, { id: 'a' });
    server.send({ id: 'b', amount: 21 });
    await until(() => price('b') === 21);
    controller.unsubscribe(getPrice, { id: 'b' });
    await until(() => server.clients() === 0);
    expect([clock.timers, clock.reported]).toEqual([0, []]);
  });

  it('connects again after it was lost, and fetches what was missed', async () => {
    const server = await startServer();
    const { controller, getPrice, price, clock } = open(server);
    controller.subscribe(getPrice, { id: 'a' });
    await until(() => server.clients() === 1);
    server.send({ id: 'a', amount: 100 });
    await until(() => price('a') === 100);
    server.cut();
    await until(() => clock.timers === 1);
    // Half of a second: the random part of the first wait.
    await clock.pass(499);
    expect(server.count.value).toBe(1);
    await clock.pass(1);
    await until(() => server.clients() === 1);
    await until(() => price('a') === 2);
    server.send({ id: 'a', amount: 101 });
    await until(() => price('a') === 101);
  });

  it('waits up to twice as long after each failure, and not while the network is away', async () => {
    const server = await startServer();
    const { controller, getPrice, clock } = open(server);
    await server.close();
    controller.subscribe(getPrice, { id: 'a' });
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      await until(() => clock.timers === 1);
      await clock.pass(wait - 1);
      expect(clock.timers).toBe(1);
      await clock.pass(1);
    }
    await until(() => clock.timers === 1);
    clock.isOnline = false;
    await clock.pass(15_000);
    expect([clock.timers, clock.listeners]).toEqual([0, 1]);
    await clock.change({ isOnline: true });
    await until(() => clock.timers === 1);
    expect(clock.listeners).toBe(0);
    controller.unsubscribe(getPrice, { id: 'a' });
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
  });

  it('ends with the controller', async () => {
    const server = await startServer();
    const { controller, getPrice, clock } = open(server);
    controller.subscribe(getPrice, { id: 'a' });
    await until(() => server.clients() === 1);
    controller.dispose();
    await until(() => server.clients() === 0);
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
  });

  it('is another one after a reset: it may have been another user’s', async () => {
    const server = await startServer();
    const { controller, getPrice, price } = open(server);
    controller.subscribe(getPrice, { id: 'a' });
    await until(() => server.clients() === 1);
    controller.resetEntireStore();
    await until(() => server.count.value === 2 && server.clients() === 1);
    server.send({ id: 'a', amount: 5 });
    await until(() => price('a') === 5);
  });
});

describe('a stream manager', () => {
  it('leaves what it does not stream to the next manager', async () => {
    const server = await webSocketServer();
    const { controller, clock } = open(server, {}, [new PollingManager()]);
    let count = 0;
    const polled = new Endpoint(async () => (count += 1), { name: 'polled', pollFrequency: 1_000 });
    controller.subscribe(polled);
    await clock.pass(1_000);
    expect(count).toBe(2);
    controller.unsubscribe(polled);
    expect([server.count.value, clock.timers]).toEqual([0, 0]);
  });

  it('reports what a message’s function throws, and goes on', async () => {
    const server = await webSocketServer();
    const mistake = new Error('not understood');
    const seen: unknown[] = [];
    const { controller, getPrice, clock } = open(server, {
      onMessage: (message) => {
        seen.push(message);
        throw mistake;
      },
    });
    controller.subscribe(getPrice, { id: 'a' });
    await until(() => server.clients() === 1);
    server.send('plain');
    server.send({ id: 'a' });
    await until(() => seen.length === 2);
    expect(seen).toEqual([
      { data: 'plain', type: 'message' },
      { data: { id: 'a' }, type: 'message' },
    ]);
    expect(clock.reported).toEqual([mistake, mistake]);
  });

  it('tries again after its constructor threw, and reports the same error once', async () => {
    const server = await webSocketServer();
    const mistake = new Error('no token yet');
    let failures = 3;
    class Fussy extends WebSocket {
      constructor(url: string) {
        failures -= 1;
        if (failures >= 0) throw mistake;
        super(url);
      }
    }
    const { controller, getPrice, clock } = open(server, { WebSocket: Fussy });
    controller.subscribe(getPrice, { id: 'a' });
    expect([clock.timers, clock.reported]).toEqual([1, [mistake]]);
    for (const wait of [500, 1_000, 2_000]) await clock.pass(wait);
    await until(() => server.clients() === 1);
    failures = 1;
    server.cut();
    await until(() => clock.timers === 1);
    await clock.pass(500);
    expect(clock.reported).toEqual([mistake, mistake]);
    controller.unsubscribe(getPrice, { id: 'a' });
    expect(clock.timers).toBe(0);
  });

  it('says which constructor is missing', async () => {
    const server = await eventServer();
    const { controller, getPrice, clock } = open(server, { EventSource: undefined as never });
    vi.stubGlobal('EventSource', undefined);
    controller.subscribe(getPrice, { id: 'a' });
    vi.unstubAllGlobals();
    expect(String(clock.reported)).toContain('`EventSource`');
  });

  it('keeps streamed records without a reader until the last subscription ends', async () => {
    const server = await webSocketServer();
    const { controller, getPrice, price, clock } = open(server);
    controller.subscribe(getPrice, { id: 'a' });
    await until(() => server.clients() === 1);
    server.send({ id: 'a', amount: 10 });
    await until(() => price('a') === 10);
    await clock.pass(3_600_000);
    expect(price('a')).toBe(10);
    controller.unsubscribe(getPrice, { id: 'a' });
    await clock.pass(600_000);
    expect(price('a')).toBeUndefined();
  });
});

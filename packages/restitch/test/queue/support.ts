/** A server with notes that answers each request when the test says so, and a resource for it. */
import { Controller, type ControllerOptions, Entity, resource } from 'restitch';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { Clock } from '../support/clock.js';

export class Note extends Entity {
  id = '';
  text = '';
  color = '';
  votes = 0;
  static override readonly key = 'Note';
}

interface Held {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Applies the request to the notes of the server, and responds. */
  readonly respond: () => void;
  readonly fail: (status?: number) => void;
}

export function noteServer() {
  let server: TestServer | undefined;
  /** The requests in the order of their arrival. */
  const held: Held[] = [];
  const notes = new Map<string, Record<string, unknown>>();
  let created = 0;
  beforeAll(async () => {
    server = await startServer();
    server.respond(({ method, url, body, headers }, response) => {
      const send = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
      held.push({
        method,
        url,
        body: given,
        headers,
        respond() {
          const [, , id = ''] = url.split('/');
          if (method === 'DELETE') {
            notes.delete(id);
            send(200, {});
          } else if (method === 'GET') {
            send(200, id ? notes.get(id) : [...notes.values()]);
          } else {
            const key = id || `${(created += 1) + 10}`;
            notes.set(key, { ...notes.get(key), ...given, id: key });
            send(200, notes.get(key));
          }
        },
        fail: (status = 500) => send(status, {}),
      });
    });
  });
  beforeEach(() => {
    held.length = 0;
    notes.clear();
    notes.set('1', { id: '1', text: '', color: 'red', votes: 0 });
    notes.set('2', { id: '2', text: '', color: 'red', votes: 0 });
  });
  afterAll(() => server?.close());
  return {
    held,
    notes,
    /** The requests as `METHOD /path body`. */
    log: () => held.map(({ method, url, body }) => `${method} ${url} ${JSON.stringify(body)}`),
    /** Waits until so many requests have arrived. */
    arrived: (count: number) =>
      expect.poll(() => held.length, { interval: 1 }).toBeGreaterThanOrEqual(count),
    open: (options: ControllerOptions = {}) => {
      const clock = new Clock();
      const controller = new Controller({ ...options, environment: clock.environment });
      const Notes = resource({
        urlPrefix: server?.origin ?? '',
        path: '/notes/:id',
        schema: Note,
        optimistic: true,
      });
      const text = (id = '1') => controller.get(Note, { id })?.text;
      for (const note of notes.values()) {
        controller.set(Note, { id: note['id'] }, note);
      }
      return { clock, controller, Notes, text };
    },
  };
}

/** Quick edits against a server whose responses take uneven times. It counts the requests that it works on. */
import { coalesced, Controller, Entity, resource } from 'restitch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

class Note extends Entity {
  id = '';
  text = '';
}

/** Turns of the event loop before each response. */
const LATENCIES = [40, 3, 25, 1, 12];

let server: TestServer | undefined;
let text = '';
let open = 0;
let most = 0;
beforeAll(async () => {
  server = await startServer();
  server.respond(({ body }, response) => {
    open += 1;
    most = Math.max(most, open);
    let left = LATENCIES[((server?.seen.length ?? 1) - 1) % LATENCIES.length] ?? 0;
    const turn = (): void => {
      left -= 1;
      if (left > 0) {
        setImmediate(turn);
        return;
      }
      open -= 1;
      ({ text } = JSON.parse(body) as { text: string });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: '1', text }));
    };
    turn();
  });
});
afterAll(() => server?.close());

describe('five quick edits at uneven latency', () => {
  it('end with the last value on the server, with at most two requests in flight or waiting', async () => {
    const { partialUpdate } = resource({
      urlPrefix: server?.origin ?? '',
      path: '/notes/:id',
      schema: Note,
      optimistic: true,
    });
    const edit = coalesced(partialUpdate);
    const controller = new Controller();
    const counts: number[] = [];
    controller.watchFetching(() => counts.push(controller.countFetching(edit)));
    controller.set(Note, { id: '1' }, { text: '' });
    const calls = [];
    for (const typed of ['h', 'he', 'hel', 'hell', 'hello']) {
      calls.push(controller.fetch(edit, { id: '1' }, { text: typed }));
      // The user types on while the first response is under way.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(controller.get(Note, { id: '1' })?.text).toBe(typed);
    }
    await Promise.all(calls);
    expect([text, controller.get(Note, { id: '1' })?.text]).toEqual(['hello', 'hello']);
    expect([most, Math.max(...counts)]).toEqual([1, 2]);
    expect(server?.seen.length).toBeLessThanOrEqual(calls.length);
  });
});

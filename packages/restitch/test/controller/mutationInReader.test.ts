import { Controller, PollingManager, type ReadEndpoint, RestitchError } from 'restitch';
import { describe, expect, it } from 'vitest';
import { mutation } from '../support/world.js';

const refused: unknown = expect.objectContaining({
  code: 'mutation-in-reader',
  message: expect.stringContaining('removeUser'),
});

/** A mutation behind a type that hides it, as in code without types. */
function world() {
  const { endpoint, calls } = mutation('removeUser', undefined, () => ({ id: '1' }));
  const controller = new Controller({ managers: [new PollingManager()] });
  // The cast is the mistake that these tests are about.
  return { controller, calls, remove: endpoint as unknown as ReadEndpoint };
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('an endpoint with side effects', () => {
  it('is refused by observe and subscribe before anything is sent', () => {
    const { controller, calls, remove } = world();
    expect(thrownBy(() => controller.observe(remove, { id: '1' }))).toEqual(refused);
    expect(thrownBy(() => controller.subscribe(remove, { id: '1' }))).toEqual(refused);
    expect(calls).toEqual([]);
    controller.dispose();
  });

  it('is refused by fetchIfStale, whose promise rejects', async () => {
    const { controller, calls, remove } = world();
    const error: unknown = await controller.fetchIfStale(remove, { id: '1' }).catch((e) => e);
    expect(error).toEqual(refused);
    expect(error).toBeInstanceOf(RestitchError);
    expect(calls).toEqual([]);
  });

  it('is sent by fetch', () => {
    const { controller, calls, remove } = world();
    void controller.fetch(remove, { id: '1' });
    expect(calls).toHaveLength(1);
  });
});

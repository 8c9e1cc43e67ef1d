import { Controller, Endpoint, type LogoutManagerOptions, LogoutManager } from 'restitch';
import { describe, expect, it, vi } from 'vitest';

let names = 0;

class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** A controller that holds one text, and an endpoint that fails with a status. */
// The return type is what the class infers from its options; naming it would repeat them.
function session(options?: LogoutManagerOptions) {
  const controller = new Controller({ managers: [new LogoutManager(options)] });
  const getText = new Endpoint(async () => 'secret', { name: `getSecret${(names += 1)}` });
  const save = new Endpoint(
    async (status: number) => {
      throw new StatusError(status);
    },
    { name: 'save', sideEffect: true },
  );
  controller.setResponse(getText, 'secret');
  const fail = (status: number): Promise<void> =>
    expect(controller.fetch(save, status)).rejects.toThrow(`status ${status}`);
  return { controller, fail, text: () => controller.getResponse(getText) };
}

describe('LogoutManager', () => {
  it('empties the store when a request fails with 401, whose caller hears of it', async () => {
    const { fail, text } = session();
    await fail(401);
    expect(text()).toBeUndefined();
  });

  it('leaves it alone on any other error', async () => {
    const { fail, text } = session();
    await fail(403);
    expect(text()).toBe('secret');
  });

  it('may be told what ends a session, and what to do then', async () => {
    const handleLogout = vi.fn();
    const { controller, fail, text } = session({
      shouldLogout: ({ status }) => status === 419,
      handleLogout,
    });
    await fail(401);
    expect(handleLogout).not.toHaveBeenCalled();
    await fail(419);
    expect(handleLogout.mock.calls).toEqual([[controller]]);
    expect(text()).toBe('secret');
  });
});

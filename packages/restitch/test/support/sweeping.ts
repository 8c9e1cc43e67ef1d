import { Controller, type ControllerOptions, Entity, Collection } from 'restitch';
import { Clock } from './clock.js';

export const MINUTE = 60_000;

export class User extends Entity {
  id = '';
  name = '';
  friend: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
User.schema = { friend: User };

export class Issue extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  static override key = 'Issue';
  static override schema: Record<string, unknown> = { author: User };
}

export const issues: Collection<[typeof Issue]> = new Collection([Issue], { name: 'issues' });

/** A controller on a clock that the test moves. */
export function openWorld(options: ControllerOptions = {}) {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ ...options, environment: clock.environment });
  return { clock, controller };
}

/** A host in which garbage collection makes one step for each call of `run`. */
export function openSteps(options: ControllerOptions, noteWait: (milliseconds: number) => void) {
  let now = 1_000_000;
  let next: (() => void) | undefined;
  const controller = new Controller({
    ...options,
    environment: {
      // Each look at the clock takes longer than a slice may.
      now: () => (now += 5),
      whenIdle: (callback, milliseconds) => {
        next = callback;
        noteWait(milliseconds);
        return () => (next = undefined);
      },
    },
  });
  return {
    controller,
    later: (milliseconds: number) => (now += milliseconds),
    /** Returns false if no further step is planned. */
    run: (): boolean => {
      const callback = next;
      next = undefined;
      callback?.();
      return next !== undefined;
    },
  };
}

/** Whether nothing is left: a controller with an empty store waits for no further sweep. */
export async function isEmpty(clock: Clock): Promise<boolean> {
  await clock.pass(10 * MINUTE);
  return clock.idleWaits === 0;
}

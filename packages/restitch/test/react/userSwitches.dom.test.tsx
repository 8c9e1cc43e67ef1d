/** Random switches of the user: no component sends requests of the last user. */
import { act, cleanup } from '@testing-library/react';
import fc from 'fast-check';
import { logout } from 'restitch';
import { expect, it, describe } from 'vitest';
import { watchConsole } from '../support/reactWorld.js';
import { mail, open, pages, USERS, world } from '../support/userWorld.js';

watchConsole();

describe('random programs', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('sign in' as const), user: fc.constantFrom(...USERS) }),
    fc.record({ do: fc.constant('respond' as const), user: fc.constantFrom(...USERS) }),
    fc.record({ do: fc.constant('slow' as const), user: fc.constantFrom(...USERS) }),
    fc.record({
      do: fc.constantFrom(
        'reset' as const,
        'log out' as const,
        'log out in a transition' as const,
        'wait' as const,
      ),
    }),
  );
  const program = fc.record({
    kind: fc.constantFrom(...Object.keys(pages)),
    beside: fc.boolean(),
    strict: fc.boolean(),
    steps: fc.array(step, { maxLength: 12 }),
  });

  it('send requests for the user on the screen only, and end with the data of this user', async () => {
    await fc.assert(
      fc.asyncProperty(program, async ({ kind, beside, strict, steps }) => {
        // A failed program leaves its page.
        cleanup();
        const app = world();
        const { clock, controller, sent, slow, text, pass, respond } = app;
        const pageOf = pages[kind];
        if (!pageOf) return;
        let user = 'ada';
        const { signIn, signInLater, unmount } = await open(app, pageOf(app), { beside, strict });
        const check = (): void => {
          expect(sent.splice(0).filter((other) => other !== user)).toEqual([]);
          expect([mail(user), 'loading']).toContain(text());
        };
        await pass(0);
        check();
        for (const next of steps) {
          if (next.do === 'sign in') await signIn((user = next.user));
          else if (next.do === 'respond') await respond(next.user);
          else if (next.do === 'slow') slow.add(next.user);
          else if (next.do === 'reset') await act(async () => controller.resetEntireStore());
          else if (next.do === 'log out in a transition') {
            // The sign-in page waits for a response.
            slow.add((user = ''));
            await act(async () => logout(controller));
            await signInLater(user);
          } else if (next.do === 'log out') await act(async () => logout(controller));
          else await pass(1_500);
          check();
        }
        await act(async () => controller.resetEntireStore());
        for (const each of [...USERS, '']) await respond(each);
        await pass(1_500);
        check();
        sent.length = 0;
        await pass(2_500);
        expect([text(), sent.length >= 2]).toEqual([mail(user), true]);
        unmount();
        await pass(0);
        expect([clock.timers, clock.listeners, clock.reported]).toEqual([0, 0, []]);
      }),
      { numRuns: Math.min(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 40), 200) },
    );
  });
});

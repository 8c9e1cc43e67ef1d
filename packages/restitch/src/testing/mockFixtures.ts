import { type Controller, type EndpointInterface, type Manager, RestitchError } from '../index.js';
import { answer, copyPlain } from './answering.js';
import { checkFixtures, type Fixture, type Fixtures } from './Fixture.js';
import { findFixture, noFixture } from './matching.js';

/**
 * A manager that answers every request of its controller from fixtures; nothing reaches the network. It needs no React.
 *
 * @remarks
 * Fixtures of reads that have `args`, a `response` which is no function (or an `error`) and no `delay` are in the store from
 * the start: readers show them at once. All others answer when they are asked. Where several fixtures match, the last one
 * answers. A request that none matches fails with a `RestitchError` of the code `no-fixture`, which readers see whatever
 * the endpoint's `errorPolicy` says. What calls an endpoint directly, and not through a controller, is not answered. Give it
 * as the last manager, so that the others see each request before it is answered.
 *
 * @throws TypeError or RangeError when a fixture is incomplete.
 *
 * @example
 * ```ts
 * import { Controller, Entity, resource } from 'restitch';
 * import { mockFixtures } from 'restitch/testing/fixtures';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 * const Users = resource({ path: '/users/:id', schema: User });
 *
 * const fixtures = mockFixtures([
 *   { endpoint: Users.get, args: [{ id: '1' }], response: { id: '1', name: 'Ada' } },
 *   { endpoint: Users.partialUpdate, response: ({ id }, body) => ({ id, ...body }) },
 * ]);
 * const controller = new Controller({ managers: [fixtures] });
 * await controller.fetch(Users.partialUpdate, { id: '1' }, { name: 'Grace' });
 * ```
 */
export function mockFixtures<const Endpoints extends readonly EndpointInterface[]>(
  fixtures: Fixtures<Endpoints>,
): Manager {
  // The cast: a list checked member by member is a list of fixtures.
  const known = fixtures as unknown as readonly Fixture[];
  checkFixtures(known);
  return {
    init(controller) {
      controller.batch(() => {
        for (const fixture of known) place(controller, fixture);
      });
    },
    middleware({ environment }) {
      return (next) => (action) => {
        if (action.type === 'fetch') {
          const fixture = findFixture(known, action);
          next({
            ...action,
            fetch(...args) {
              if (!fixture) throw noFixture(known, action);
              return answer(fixture, this, args, environment);
            },
          });
          return;
        }
        next(action);
        if (action.type === 'fail' && !action.endpoint.sideEffect && isNoFixture(action.error)) {
          // Also to readers that keep their data over a soft error: it is a mistake of the test, not of a server.
          next({ ...action, type: 'setError' });
        }
      };
    },
  };
}

/** Puts what a fixture says into the store, if it can be known before anybody asks. */
function place(controller: Controller, fixture: Fixture): void {
  const { endpoint, args, response, error, delay } = fixture;
  if (endpoint.sideEffect || !args || delay !== undefined || typeof response === 'function') return;
  // The cast: the list holds arguments of whichever endpoint.
  const given: readonly unknown[] = args;
  if (error) {
    controller.setError(endpoint, ...given, error);
    return;
  }
  try {
    controller.setResponse(endpoint, ...given, copyPlain(response));
  } catch (mistake) {
    // As when a server answers what the schema refuses.
    controller.setError(endpoint, ...given, mistake as Error);
  }
}

function isNoFixture(error: Error): boolean {
  return error instanceof RestitchError && error.code === 'no-fixture';
}

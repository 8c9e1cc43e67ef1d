import { type Controller, type EndpointInterface, type Manager, RestitchError } from '../index.js';
import { respond, copyPlain } from './respond.js';
import { checkFixtures, type Fixture, type Fixtures } from './Fixture.js';
import { findFixture, noFixture } from './matching.js';

/**
 * Returns a manager that responds to every request of its controller from fixtures. Nothing reaches
 * the network. Must be the last manager, so that the other managers receive each request first.
 *
 * @remarks
 * - The response to a read with `args` and no `delay` is in the store from the start. Readers have
 *   the data at once. A `response` that is a function is called only at a request.
 * - Each fixture responds to the requests that it matches. If several fixtures match a request, the
 *   last one is used.
 * - A request without a matching fixture fails with a `RestitchError` with the code `no-fixture`.
 *   Readers receive the error regardless of the endpoint's `errorPolicy`.
 * - Direct calls of an endpoint, without a controller, are not intercepted.
 *
 * @throws TypeError or RangeError when a fixture is invalid.
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
  const known = fixtures as unknown as readonly Fixture[];
  checkFixtures(known);
  return {
    init(controller) {
      controller.batch(() => {
        for (const fixture of known) storeIfKnown(controller, fixture);
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
              return respond(fixture, this, args, environment);
            },
          });
          return;
        }
        next(action);
        if (action.type === 'fail' && !action.endpoint.sideEffect && isNoFixture(action.error)) {
          // A soft error would keep the data of readers, and hide the mistake in the test.
          next({ ...action, type: 'setError' });
        }
      };
    },
  };
}

function storeIfKnown(controller: Controller, fixture: Fixture): void {
  const { endpoint, args, response, error, delay } = fixture;
  if (endpoint.sideEffect || !args || delay !== undefined || typeof response === 'function') return;
  const given: readonly unknown[] = args;
  if (error) {
    controller.setError(endpoint, ...given, error);
    return;
  }
  try {
    controller.setResponse(endpoint, ...given, copyPlain(response));
  } catch (mistake) {
    // If the schema rejects the response, the error is stored, as for a response of a server.
    controller.setError(endpoint, ...given, mistake as Error);
  }
}

function isNoFixture(error: Error): boolean {
  return error instanceof RestitchError && error.code === 'no-fixture';
}

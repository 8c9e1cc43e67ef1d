/** An endpoint whose class makes its URL itself has keys that say nothing of its path. */
import { Controller, RestEndpoint, type RestGenerics } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { mockFixtures } from 'restitch/testing/fixtures';
import { describe, expect, it } from 'vitest';

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  override url(...args: any): string {
    return `http://127.0.0.1:9/base${super.url(...args)}`;
  }
}
const getMe = new Api({ path: '/me', name: 'getMe' });
const getOther = new Api({ path: '/other', name: 'getOther' });

function hydrated(): Controller {
  const first = new Controller();
  first.setResponse(getMe, { name: 'Ada' });
  first.setResponse(getOther, { name: 'Bob' });
  const controller = new Controller();
  hydrate(controller, JSON.parse(JSON.stringify(getState(first))));
  return controller;
}

describe('an endpoint whose class overrides url()', () => {
  it('is expired together with the result that was hydrated for it, and no other', () => {
    const controller = hydrated();
    controller.expireAll(getMe);
    expect(controller.observe(getMe).getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(controller.observe(getOther).getSnapshot()).toMatchObject({ stale: false });
  });

  it('is invalidated together with the result that was hydrated for it', () => {
    const controller = hydrated();
    void controller.invalidateAll(getMe);
    expect(controller.observe(getMe).getSnapshot()).toMatchObject({ status: 'pending' });
    expect(controller.observe(getOther).getSnapshot()).toMatchObject({ status: 'ready' });
  });

  it('matches a fixture without arguments, and that of no other endpoint', async () => {
    const fixtures = mockFixtures([
      { endpoint: getOther, response: { name: 'Bob' } },
      { endpoint: getMe, response: { name: 'Ada' } },
    ]);
    const controller = new Controller({ managers: [fixtures] });
    expect(await controller.fetch(getMe)).toEqual({ name: 'Ada' });
    expect(await controller.fetch(getOther)).toEqual({ name: 'Bob' });
  });
});

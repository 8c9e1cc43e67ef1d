/** Readers that wait while a sign-out pauses them. */
import { Controller, logout } from 'restitch';
import { expect, it } from 'vitest';
import { flush, manual } from '../support/world.js';

it('a suspended reader ends its wait when the last mounted reader leaves', async () => {
  const controller = new Controller();
  const list = manual('list', undefined);
  const read = controller.fetch(list.endpoint);
  await list.respond(['a']);
  await read;
  const view = controller.observe(list.endpoint);
  const stop = view.subscribe(() => {});
  logout(controller);
  let isOver = false;
  void view.load(undefined, true).then(() => (isOver = true));
  await flush();
  expect([isOver, list.calls.length]).toEqual([false, 1]);
  stop();
  await flush();
  expect([isOver, list.calls.length]).toEqual([true, 1]);
  // The reader renders again, and asks as a new one.
  void view.load(undefined, true);
  await flush();
  expect(list.calls.length).toBe(2);
});

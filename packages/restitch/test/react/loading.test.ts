import { Controller, Endpoint, Entity } from 'restitch';
import { expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
}

it('is the same promise for all who join, and settles when the response is stored', async () => {
  let respond: (value: { id: string; name: string }) => void = () => {};
  const getUser = new Endpoint(
    (_: { id: string }) =>
      new Promise<{ id: string; name: string }>((resolve) => {
        respond = resolve;
      }),
    { name: 'getUser', schema: User },
  );
  const controller = new Controller();
  const view = controller.observe(getUser, { id: '1' });
  const first = view.load();
  const order: string[] = [];
  view.subscribe(() => order.push('notified'));
  const settled = first.then((user) => {
    order.push('settled');
    expect(controller.get(User, { id: '1' })).toBe(user);
  });
  expect(view.load()).toBe(first);
  expect(controller.observe(getUser, { id: '1' }).load()).toBe(first);
  expect(first.status).toBe('pending');
  respond({ id: '1', name: 'Ada' });
  await settled;
  expect(order).toEqual(['notified', 'settled']);
  expect([first.status, first.value]).toEqual(['fulfilled', controller.get(User, { id: '1' })]);
  const failing = new Endpoint(() => Promise.reject(new Error('down')), { name: 'failing' });
  const failed = controller.observe(failing).load();
  await expect(failed).rejects.toThrow('down');
  expect([failed.status, failed.reason?.message]).toEqual(['rejected', 'down']);
});

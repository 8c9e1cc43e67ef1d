/** What `controller.set` is given has to be the row that its arguments name. */
import { Controller, Entity, Union } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
}

class Admin extends User {
  type = 'admin';
}

class Member extends Entity {
  team = '';
  user = '';
  role = '';
  override pk() {
    return `${this.team}|${this.user}`;
  }
}

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});

const refusal = expect.objectContaining({
  code: 'other-row',
  message: expect.stringMatching(
    /User.* (User|Admin) 1, but the value is (User|Admin) 2|union.* Admin 1, but/,
  ) as string,
}) as object;

describe('controller.set refuses a value of another row, and stores nothing', () => {
  it.each<[string, () => void]>([
    ['fields', () => controller.set(User, { id: '1' }, { id: '2', name: 'Bob' })],
    ['fields, for a plain key', () => controller.set(User, '1', { id: '2', name: 'Bob' })],
    ['an instance', () => controller.set(User, { id: '1' }, User.fromJS({ id: '2' }))],
    ['a function', () => controller.set(User, { id: '1' }, () => ({ id: '2', name: 'Bob' }))],
    [
      'a member of a union',
      () =>
        controller.set(
          new Union({ admin: Admin }, 'type'),
          { id: '1' },
          { id: '2', type: 'admin', name: 'Bob' },
        ),
    ],
  ])('by %s', (_, write) => {
    controller.set(User, { id: '1' }, { name: 'Ada' });
    controller.set(Admin, { id: '1' }, { name: 'Ada' });
    expect(write).toThrow(refusal);
    expect(controller.get(User, { id: '2' })).toBeUndefined();
    expect(controller.get(Admin, { id: '2' })).toBeUndefined();
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'Ada' });
  });

  it('by a key of several fields', () => {
    expect(() =>
      controller.set(Member, { team: '1', user: '2' }, { user: '3', role: 'owner' }),
    ).toThrow(expect.objectContaining({ code: 'other-row' }));
    expect(() => controller.set(Member, '1|2', { team: '1', user: '3' })).toThrow(
      expect.objectContaining({ code: 'other-row' }),
    );
  });
});

describe('controller.set accepts a value of the row that is named', () => {
  it('by a key of another type, by a part of the key, by none, and in a value alone', () => {
    controller.set(User, { id: 1 }, { id: '1', name: 'Ada' });
    controller.set(User, { id: '1' }, (user) => ({ ...user, id: 1 }));
    controller.set(User, {}, { id: '2', name: 'Bob' });
    controller.set(Member, { team: '1' }, { user: '2', role: 'owner' });
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'Ada' });
    expect(controller.get(User, { id: '2' })).toMatchObject({ name: 'Bob' });
    expect(controller.get(Member, { team: '1', user: '2' })).toMatchObject({ role: 'owner' });
  });
});

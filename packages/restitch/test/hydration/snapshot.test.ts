/** What an endpoint's optimistic function reads. */
import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, mutation } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
  friend: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
User.schema = { friend: User };

describe('the snapshot of an optimistic update', () => {
  it('reads of an endpoint the same as its readers: nothing where the arguments name something else', async () => {
    const controller = new Controller();
    const getOwner = new Endpoint(async (_: { id: string }) => ({ id: 'o' }), {
      name: 'getOwner',
      path: '/projects/:id/owner',
      schema: User,
    });
    const seen: unknown[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      seen.push(snapshot.getResponse(getOwner, { id: '1' }));
      throw snapshot.abort;
    });
    controller.set(User, { id: '1' }, { name: 'ann' });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(seen).toEqual([undefined]);
    expect(controller.getResponse(getOwner, { id: '1' })).toBeUndefined();
  });

  it('holds each row once, in circles too, and lacks what lacks a row that it requires', () => {
    class Task extends Entity {
      id = '';
      owner = User.fromJS({});
      helper: User | undefined = undefined;
      static override key = 'SnapshotTask';
      static override schema = { owner: User, helper: User };
    }
    const tasks = new Collection([Task]);
    const controller = new Controller();
    controller.set(tasks, {}, [
      { id: '1', owner: { id: 'a', friend: { id: 'b', friend: 'a' } }, helper: 'b' },
      { id: '2', owner: 'gone', helper: 'a' },
    ]);
    controller.set(new Invalidate(User), {}, { id: 'gone' });
    const seen: (readonly Task[] | undefined)[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      seen.push(snapshot.get(tasks, {}));
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    const [[task, ...others] = []] = seen;
    expect(others).toEqual([]);
    expect(task?.owner.friend).toBe(task?.helper);
    expect(task?.helper?.friend).toBe(task?.owner);
  });

  it('sees far along a chain of rows', () => {
    const controller = new Controller();
    const lengthFrom = (user: User | undefined): number => {
      let length = 0;
      for (let next = user; next; next = next.friend) length += 1;
      return length;
    };
    for (let id = 1; id <= 90; id += 1) {
      controller.set(User, { id: String(id) }, id < 90 ? { friend: String(id + 1) } : {});
    }
    let seen = 0;
    const edit = mutation('edit', User, (snapshot) => {
      seen = lengthFrom(snapshot.get(User, { id: '1' }));
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(seen).toBe(90);
  });

  it('reads more than the current value of its readers', () => {
    const controller = new Controller();
    for (let id = 1; id <= 300; id += 1) {
      controller.set(User, { id: String(id) }, { name: 'before', friend: String(id + 1) });
    }
    expect(controller.get(User, { id: '1' })?.friend?.id).toBe('2');
    const names: string[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      for (let user = snapshot.get(User, { id: '1' }); user; user = user.friend) {
        names.push(user.name);
      }
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(names).toEqual(Array(300).fill('before'));
  });
});

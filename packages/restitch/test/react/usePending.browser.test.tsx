import { memo } from 'react';
import { Controller, resource } from 'restitch';
import { useController, usePending, useQuery } from 'restitch/react';
import { expect, it } from 'vitest';
import { open } from '../support/screen.js';
import { counter, User } from '../support/reactWorld.js';
import { openWorld } from '../support/browserWorld.js';

it('three overlapping clicks on one row show 3, 2, 1, 0 and render only that row', async () => {
  const world = await openWorld(
    Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [
        `PATCH /users/1?v=${name}`,
        { held: true, body: { id: '1', name } },
      ]),
    ),
  );
  const Users = resource({
    path: '/users/:id',
    urlPrefix: world.url,
    schema: User,
    optimistic: true,
  });
  const renders = [counter(), counter()];
  const left = ['a', 'b', 'c'];
  const Row = memo(function Row({ id }: { id: string }) {
    renders[Number(id) - 1]?.add();
    const controller = useController();
    const user = useQuery(User, { id });
    const pending = usePending(user);
    const save = (): void => {
      const name = left.shift() ?? '';
      // A parameter of the search: the server distinguishes the three requests by it.
      const params: { id: string } = Object.assign({ id }, { v: name });
      void controller.fetch(Users.partialUpdate, params, { name });
    };
    return (
      <button id={`row${id}`} onClick={save}>
        {user?.name}:{pending.length}
      </button>
    );
  });
  const controller = new Controller();
  controller.set(User, { id: '1' }, { name: 'Ada' });
  controller.set(User, { id: '2' }, { name: 'Grace' });
  const page = open(
    <>
      <Row id="1" />
      <Row id="2" />
    </>,
    controller,
  );
  await page.until((text) => text.includes('Ada:0') && text.includes('Grace:0'));
  for (const count of [1, 2, 3]) {
    page.element.querySelector<HTMLButtonElement>('#row1')?.click();
    await page.until((text) => text.includes(`:${count}`));
  }
  for (const [index, name] of ['b', 'a', 'c'].entries()) {
    await world.release(`PATCH /users/1?v=${name}`);
    await page.until((text) => text.includes(`c:${2 - index}`));
  }
  const frames = page.frames.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  // The page may be empty before its first frame.
  expect(frames.filter((text) => text !== '')).toEqual(
    ['Ada:0', 'a:1', 'b:2', 'c:3', 'c:2', 'c:1', 'c:0'].map((first) => `${first}Grace:0`),
  );
  expect(renders.map(({ count }) => count)).toEqual([7, 1]);
});

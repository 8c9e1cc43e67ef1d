import { act, screen } from '@testing-library/react';
import { All, byPage, Collection, Controller, Entity, resource } from 'restitch';
import { useInfinite, useSuspense, useWindow } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Room extends Entity {
  id = '';
  name = '';
}
class Message extends Entity {
  id = '';
  room = '';
}

/** The page of a room opens while the room is being created, and keeps its temporary key. */
async function openRoom() {
  const asked: string[] = [];
  let answer: ((response: Response) => void) | undefined;
  const rows = ['m1', 'm2', 'm3'];
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    if (init.method === 'POST') return new Promise((resolve) => (answer = resolve));
    const { pathname, search, searchParams } = new URL(input);
    asked.push(pathname + search);
    const start = (Number(searchParams.get('page') ?? 1) - 1) * 2;
    const results = rows.slice(start, start + 2).map((id) => ({ id, room: 'r1' }));
    return Response.json({ results, total: rows.length });
  };
  const shared = { urlPrefix: 'http://x', send };
  const Rooms = resource({ ...shared, path: '/rooms/:id', schema: Room, optimistic: true });
  const { getList } = resource({
    ...shared,
    path: '/rooms/:room/messages/:id',
    schema: Message,
    pagination: byPage({ param: 'page', total: 'total' }),
  }).extend('getList', { schema: { results: new Collection([Message]), total: 0 } });
  const controller = new Controller();
  const creating = controller.fetch(Rooms.getList.push, { name: 'General' });
  const room = controller.get(new All(Room))?.[0]?.id ?? '';
  const create = async (): Promise<void> => {
    await act(async () => {
      await expect.poll(() => answer).toBeDefined();
      answer?.(Response.json({ id: 'r1', name: 'General' }));
      await creating;
    });
  };
  return { asked, controller, getList, room, create };
}

const text = (): string | null => screen.getByTestId('rows').textContent;

describe('a component that reads with the temporary key of a record', () => {
  it('loads and refreshes an infinite list', async () => {
    const { asked, controller, getList, room, create } = await openRoom();
    function Messages() {
      const { items, hasNext, loadNext, refresh } = useInfinite(getList, { room });
      return (
        <p>
          <span data-testid="rows">{items.map(({ id }) => id).join(' ')}</span>
          <button onClick={() => void loadNext()}>{hasNext ? 'more' : 'end'}</button>
          <button onClick={() => void refresh('loaded')}>refresh</button>
        </p>
      );
    }
    show(<Messages />, { controller });
    await create();
    await expect.poll(text).toBe('m1 m2');
    await act(async () => screen.getByText('more').click());
    await expect.poll(text).toBe('m1 m2 m3');
    expect(asked).toHaveLength(2);
    await act(async () => screen.getByText('refresh').click());
    await expect.poll(() => asked.length).toBe(4);
    await act(async () => controller.expireAll(getList));
    await expect.poll(() => asked.length).toBeGreaterThan(4);
    expect(text()).toBe('m1 m2 m3');
    expect(screen.getByText('end')).toBeTruthy();
  });

  it('loads a windowed list and a plain list', async () => {
    const { asked, controller, getList, room, create } = await openRoom();
    function Messages() {
      const list = useWindow(getList, [{ room }], { start: 0, end: 3 });
      const ids = Array.from({ length: list.length }, (_, index) => list.at(index)?.id);
      return <p data-testid="rows">{ids.join(' ')}</p>;
    }
    function Total() {
      return <p data-testid="total">{useSuspense(getList, { room }).total}</p>;
    }
    show(
      <>
        <Messages />
        <Total />
      </>,
      { controller },
    );
    await create();
    await expect.poll(text).toBe('m1 m2 m3');
    await expect.poll(() => screen.getByTestId('total').textContent).toBe('3');
    expect(asked).toHaveLength(3);
    expect(controller.getResponse(getList, { room: 'r1' })?.total).toBe(3);
  });

  it('joins a reader that has loaded the list under the real key', async () => {
    const { asked, controller, getList, room, create } = await openRoom();
    await controller.fetch(getList, { room: 'r1' });
    function Total({ of }: { of: string }) {
      return <p data-testid={of}>{useSuspense(getList, { room: of }).total}</p>;
    }
    show(
      <>
        <Total of="r1" />
        <Total of={room} />
      </>,
      { controller },
    );
    await create();
    await expect.poll(() => screen.getByTestId(room).textContent).toBe('3');
    expect(screen.getByTestId('r1').textContent).toBe('3');
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});

/** A reload of all pages that has ended has no effect on later requests. */
import { byPage, Collection, Controller, Entity, infinite, resource, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';
import { flush } from '../support/world.js';

class Row extends Entity {
  id = '';
}

it('loads further pages after garbage collection removed the list during a reload', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => ({ id: `${index}` }));
  const open: (() => void)[] = [];
  const answer = (url: string, { method = 'GET' }: RequestInit = {}): object => {
    const { pathname, searchParams } = new URL(url);
    const page = Number(searchParams.get('page') ?? 1);
    if (method === 'POST') rows.push({ id: '7' });
    if (method === 'POST') return { id: '7' };
    return pathname === '/others'
      ? ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
      : { results: rows.slice(3 * page - 3, 3 * page) };
  };
  const options = {
    urlPrefix: 'http://host.test',
    fetchResponse: (url: string, init: RequestInit) =>
      new Promise<Response>((resolve) =>
        open.push(() => resolve(Response.json(answer(url, init)))),
      ),
  };
  const { getList } = resource({
    ...options,
    path: '/rows/:id',
    schema: Row,
    optimistic: true,
    pagination: byPage({ param: 'page' }),
  }).extend('getList', { schema: { results: new Collection([Row]) } });
  const others = new RestEndpoint({ ...options, path: '/others', schema: [Row] });
  let idle: (() => void)[] = [];
  const controller = new Controller({
    maxEntities: 4,
    environment: {
      whenIdle: (callback, milliseconds) => {
        if (milliseconds < 1_000) idle.push(callback);
        return () => (idle = idle.filter((other) => other !== callback));
      },
    },
  });
  const follow = () => {
    const view = infinite(controller, getList);
    const load = (mounted: boolean): void => {
      if (view.needsLoad(mounted)) void view.load();
    };
    const stop = view.subscribe(() => load(true));
    load(false);
    return { view, stop };
  };
  const respondAll = async (): Promise<void> => {
    await flush();
    while (open.length > 0) {
      open.shift()?.();
      await flush();
    }
  };
  const { view, stop } = follow();
  await flush();
  controller.expireAll(getList);
  await flush();
  void controller.fetch(getList.push, {});
  await flush();
  open.splice(2, 1)[0]?.();
  await flush();
  open.shift()?.();
  await flush();
  void view.refresh('loaded');
  await flush();
  void controller.fetch(others);
  await flush();
  stop();
  controller.expireAll(getList);
  await respondAll();
  idle.splice(0).forEach((callback) => callback());
  await respondAll();
  const again = follow();
  await respondAll();
  void again.view.loadNext();
  await respondAll();
  const snapshot = again.view.getSnapshot();
  expect(snapshot.status === 'ready' && snapshot.data.items.map(({ id }) => id).join()).toBe(
    '0,1,2,3,4,5',
  );
});

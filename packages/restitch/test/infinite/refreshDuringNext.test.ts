/** Another user creates or deletes a row while the next page loads, and a refresh of the first page overlaps this request. */
import { byOffset, byPage, Collection, Controller, Entity, infinite, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class Row extends Entity {
  id = '';
  static override key = 'RefreshedRow';
}

const SIZE = 2;
const styles = [
  ['page', byPage({ param: 'at' })],
  ['page with total', byPage({ param: 'at', total: 'total' })],
  ['offset', byOffset({ param: 'at' })],
  ['offset with total', byOffset({ param: 'at', total: 'total' })],
] as const;
const changes = [
  ['creates one', (rows: readonly string[]) => ['0', ...rows]],
  ['creates many', (rows: readonly string[]) => ['00', '01', '02', '03', '04', '05', ...rows]],
  ['deletes one', (rows: readonly string[]) => rows.slice(1)],
] as const;

describe.each(styles)('by %s', (style, pagination) => {
  it.each(
    changes.flatMap((change) =>
      [true, false].map((isRefreshFirst) => ({ change, isRefreshFirst })),
    ),
  )(
    'no row is missing: $change.0, refresh first: $isRefreshFirst',
    async ({ change: [, change], isRefreshFirst }) => {
      let rows: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8'];
      const held: (() => void)[] = [];
      let isHeld = false;
      const send = (url: string): Promise<Response> => {
        const at = new URL(url).searchParams.get('at');
        const start =
          at === null ? 0 : style.startsWith('page') ? (Number(at) - 1) * SIZE : Number(at);
        const results = rows.slice(start, start + SIZE).map((id) => ({ id }));
        const response = Response.json({ results, total: rows.length });
        return isHeld
          ? new Promise((resolve) => held.push(() => resolve(response)))
          : Promise.resolve(response);
      };
      const getRows = new RestEndpoint({
        urlPrefix: 'http://x',
        path: '/rows',
        schema: { results: new Collection([Row]), total: 0 },
        send,
        pagination,
      });
      const view = infinite(new Controller(), getRows);
      view.subscribe(() => {});
      await view.load();
      isHeld = true;
      const next = view.loadNext();
      await settle();
      rows = change(rows);
      const refresh = view.refresh();
      await settle();
      const both = held.splice(0);
      for (const release of isRefreshFirst ? both.toReversed() : both) {
        release();
        await settle();
      }
      isHeld = false;
      held.splice(0).forEach((release) => release());
      await Promise.all([next, refresh]);
      const data = () => {
        const snapshot = view.getSnapshot();
        if (snapshot.status !== 'ready') throw new Error(snapshot.status);
        return snapshot.data;
      };
      for (let count = 0; data().hasNext; count += 1) {
        expect(count).toBeLessThan(20);
        await view.loadNext();
      }
      expect(data().items.map(({ id }) => id)).toEqual(rows);
    },
  );
});

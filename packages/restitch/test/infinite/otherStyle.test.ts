/** A program that was updated pages a saved list in another way. */
import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  RestEndpoint,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  static override readonly key = 'OtherStyleRow';
  id = '';
}

const SIZE = 2;
const rows = [...'abcdefg'].map((id) => ({ id }));
const all = [...'abcdefg'];

const styles = {
  page: byPage({ param: 'page' }),
  offset: byOffset({ param: 'offset', total: 'total' }),
  cursor: byCursor({ param: 'cursor', next: 'next' }),
  link: byLink({ params: ['cursor'] }),
};
type Style = keyof typeof styles;

function listBy(style: Style) {
  const asked: string[] = [];
  const getRows = new RestEndpoint({
    urlPrefix: 'http://rows.example',
    path: '/rows',
    schema: { results: new Collection([Row]), next: null as string | null, total: 0 },
    pagination: styles[style],
    send: async (url: string) => {
      const { search, searchParams } = new URL(url);
      asked.push(search);
      const [cursor, page, offset] = ['cursor', 'page', 'offset'].map((name) =>
        Number(searchParams.get(name) ?? NaN),
      );
      const from = cursor || offset || (page ? (page - 1) * SIZE : 0);
      const end = from + SIZE;
      const next = end < rows.length ? String(end) : null;
      return Response.json(
        { results: rows.slice(from, end), next, total: rows.length },
        { headers: next ? { link: `</rows?cursor=${next}>; rel="next"` } : {} },
      );
    },
  });
  return { getRows, asked };
}

async function open(controller: Controller, style: Style) {
  const { getRows, asked } = listBy(style);
  const view = infinite(controller, getRows);
  view.subscribe(() => {});
  if (view.needsLoad()) await view.load();
  return { view, asked, list: () => readyData(view) };
}

const names = Object.keys(styles) as Style[];
const pairs = names.flatMap((before) => names.map((after) => [before, after] as const));

describe.each(pairs)('a list saved by %s and opened by %s', (before, after) => {
  it.each([1, 2, 3])('loads all rows after %i pages', async (pages) => {
    const controller = new Controller();
    const saving = new Controller();
    const saved = await open(saving, before);
    for (let page = 1; page < pages; page += 1) await saved.view.loadNext();
    hydrate(controller, JSON.parse(JSON.stringify(getState(saving))));
    const { view, asked, list } = await open(controller, after);
    for (let calls = 0; list().hasNext && calls < 8; calls += 1) {
      await view.loadNext();
      expect(list().nextError).toBeUndefined();
    }
    expect(list().items.map(({ id }) => id)).toEqual(all);
    expect(asked.length).toBeLessThanOrEqual(5);
  });
});

/** `changesSince` if another request has stored newer or older data before the response arrives. */
import { changesSince, Controller, Entity, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class User extends Entity {
  id = '';
  static override key = 'UserOfChanges';
}

class Task extends Entity {
  id = '';
  title = '';
  at: number | string = 0;
  static override key = 'TaskOfChanges';
}

/** With nested records, a record that did not change is sent as its primary key. */
class TaskOfUser extends Task {
  owner: User | undefined = undefined;
  static override key = 'TaskOfUser';
  static override schema = { owner: User };
}

type Time = number | string;
/** Number and text: an application compares both. */
const clocks: readonly (readonly [string, (second: number) => Time])[] = [
  ['numbers', (second) => second],
  ['texts', (second) => new Date(second * 1_000).toISOString()],
];

let rows: { id: string; title: string; at: Time; owner?: object }[] = [];
let held: (() => void)[] = [];
let isHeld = true;
let asked: string[] = [];

beforeEach(() => {
  [held, isHeld, asked] = [[], true, []];
});

function respondTo(url: URL): unknown {
  asked.push(url.pathname + url.search);
  const row = rows.find(({ id }) => url.pathname === `/tasks/${id}`);
  const since = url.searchParams.get('since');
  if (row || since === null) return row ?? rows;
  return { changed: rows.filter(({ at }) => at >= (typeof at === 'number' ? +since : since)) };
}

/** A response contains the rows of the moment at which the test lets it arrive. */
const send = (input: string): Promise<Response> =>
  new Promise((resolve) => {
    const respond = (): void => resolve(Response.json(structuredClone(respondTo(new URL(input)))));
    if (isHeld) held.push(respond);
    else respond();
  });

function open(schema: typeof Task, at: (second: number) => Time) {
  rows = [
    { id: '1', title: 'old', at: at(11), owner: { id: 'u' } },
    { id: '2', title: 'other', at: at(12), owner: { id: 'u' } },
  ];
  const Tasks = resource({ urlPrefix: 'http://x', path: '/tasks/:id', schema, send });
  const getList = changesSince(Tasks.getList, { param: 'since', from: 'at', deleted: 'gone' });
  const controller = new Controller();
  const titles = () => controller.getResponse(getList)?.map(({ title }) => title);
  /** Reads the list, and the first record meanwhile. Another user renames it between their responses. */
  const readBoth = async (): Promise<void> => {
    const list = controller.fetch(getList);
    await settle();
    const one = controller.fetch(Tasks.get, { id: '1' });
    await settle();
    held[1]?.();
    await one;
    rows = rows.map((row) => ({ ...row, title: `new ${row.title}`, at: at(13 + Number(row.id)) }));
    held[0]?.();
    await list;
    isHeld = false;
  };
  return { Tasks, getList, controller, titles, readBoth };
}

describe.each(clocks)('changesSince with times that are %s', (_, at) => {
  it.each([
    ['nested records', TaskOfUser],
    ['no nested records', Task],
  ])(
    'stores a newer record whose response arrived after that of a later read: %s',
    async (__, schema) => {
      const { getList, controller, titles, readBoth } = open(schema, at);
      await readBoth();
      await controller.fetch(getList);
      expect(titles()).toEqual(['new old', 'new other']);
      expect(asked.at(-1)).toMatch(/since=/);
      const first = controller.getResponse(getList)?.[0];
      await controller.fetch(getList);
      expect(titles()).toEqual(['new old', 'new other']);
      expect(controller.getResponse(getList)?.[0]).toBe(first);
    },
  );

  it('keeps the data of a later read that is newer than the list', async () => {
    const { Tasks, getList, controller, titles } = open(TaskOfUser, at);
    isHeld = false;
    await controller.fetch(getList);
    rows = rows.map((row) => (row.id === '1' ? { ...row, title: 'newest', at: at(20) } : row));
    await controller.fetch(Tasks.get, { id: '1' });
    rows = rows.map((row) => ({ ...row, at: at(5) }));
    await controller.fetch(getList);
    expect(titles()).toEqual(['newest', 'other']);
  });
});

/** Copies of one endpoint share their windowed list. Requests have the options of the newest copy. */
import { act, screen } from '@testing-library/react';
import { createContext, useContext, useState } from 'react';
import { byOffset, Collection, Controller, Entity, hookifyResource, resource } from 'restitch';
import { useWindow } from 'restitch/react';
import { expect, it } from 'vitest';
import { show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Item extends Entity {
  id = '';
}

function open() {
  const sent: string[] = [];
  const Items = resource({
    path: '/items/:id',
    schema: Item,
    pagination: byOffset({ param: 'offset', total: 'total' }),
    send: async (_: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get('authorization') ?? '');
      return Response.json({ results: [{ id: '1' }, { id: '2' }, { id: '3' }], total: 3 });
    },
  }).extend('getList', { schema: { results: new Collection([Item]), total: 0 } });
  return { Items, sent, controller: new Controller() };
}

const range = { start: 0, end: 3 };

async function renderTimes(count: number): Promise<void> {
  for (let render = 0; render < count; render += 1) {
    await act(async () => screen.getByRole('button').click());
  }
}

it.each(['timeout', 'signal', 'nothing'])('a copy in each render, other in its %s', async (how) => {
  const { Items, sent, controller } = open();
  function List() {
    const [renders, set] = useState(0);
    const rows = useWindow(
      Items.getList.extend({
        ...(how === 'timeout' && { timeout: 9_000 + renders }),
        ...(how === 'signal' && { signal: new AbortController().signal }),
      }),
      [],
      range,
    );
    return <button onClick={() => set(renders + 1)}>{`${renders} ${rows.at(0)?.id}`}</button>;
  }
  show(<List />, { controller });
  await screen.findByText('0 1');
  await renderTimes(60);
  expect(screen.getByText('60 1')).toBeDefined();
  expect(sent).toHaveLength(1);
});

it('requests of `hookifyResource` have the newest header', async () => {
  const { Items, sent, controller } = open();
  const Token = createContext(0);
  const MyItems = hookifyResource(Items, () => ({
    headers: { authorization: `${useContext(Token)}` },
  }));
  function List() {
    return <p>{`${useContext(Token)} ${useWindow(MyItems.useGetList(), [], range).at(0)?.id}`}</p>;
  }
  function Page() {
    const [token, set] = useState(0);
    return (
      <Token.Provider value={token}>
        <button onClick={() => set(token + 1)} />
        <List />
      </Token.Provider>
    );
  }
  show(<Page />, { controller });
  await screen.findByText('0 1');
  await renderTimes(60);
  expect(screen.getByText('60 1')).toBeDefined();
  expect(sent).toEqual(['0']);
  await act(async () => controller.expireAll(Items.getList));
  expect(sent).toEqual(['0', '60']);
});

it('two components with two copies send one request', async () => {
  const { Items, sent, controller } = open();
  const copy = Items.getList.extend({ timeout: 9_000 });
  const List = ({ getList }: { getList: typeof Items.getList }) => (
    <p>{useWindow(getList, [], range).at(1)?.id}</p>
  );
  show([<List key="a" getList={Items.getList} />, <List key="b" getList={copy} />], { controller });
  await expect.poll(() => screen.queryAllByText('2')).toHaveLength(2);
  await act(async () => {});
  expect(sent).toHaveLength(1);
});

import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { All, Collection, Controller, Endpoint } from 'restitch';
import { DataProvider, useCache, useDLE, useQuery, useSuspenseAll } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { requests, User, watchConsole } from '../support/reactWorld.js';

watchConsole();

const schema = {
  user: User,
  list: new Collection([User], { name: 'users' }),
  every: new All(User),
  some: [User],
  nested: { friend: User, page: 1 },
  total: 0,
  cursor: null,
};
const nothing = { nested: { page: 1 }, total: 0, cursor: null };
const args = { id: '1' };

/** What a hook returns in a new application. */
function first<T>(useReader: () => T): T {
  const controller = new Controller();
  return renderHook(useReader, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <DataProvider controller={controller}>{children}</DataProvider>
    ),
  }).result.current;
}

describe('a hook where nothing is stored', () => {
  const server = requests();
  const getPage = new Endpoint(server.send, { name: 'getPage', schema });
  const thread = { about: User, text: '' };
  Object.assign(thread, { parent: thread });
  const getThread = new Endpoint(server.send, { name: 'getThread', schema: thread });
  const getUser = new Endpoint(server.send, { name: 'getUser', schema: User });

  it.each<[string, () => unknown, () => unknown]>([
    ['useCache', () => useCache(getPage, args), () => useCache(getPage, null)],
    ['useDLE', () => useDLE(getPage, args).data, () => useDLE(getPage, null).data],
    ['useQuery', () => useQuery(schema, args), () => useQuery(schema, null)],
  ])('%s gives the shape of an object schema, the same as for null', (_, useStored, useNull) => {
    expect(first(useStored)).toEqual(nothing);
    expect(first(useNull)).toEqual(nothing);
    expect(Object.keys(first(useNull) as object)).toEqual(
      expect.arrayContaining(Object.keys(first(useStored) as object)),
    );
  });

  it.each<[string, () => unknown]>([
    ['useCache', () => useCache(getThread, args)],
    ['useDLE', () => useDLE(getThread, args).data],
    ['useQuery', () => useQuery(thread, args)],
  ])('%s ends an object schema that contains itself', (_, useStored) => {
    expect(first(useStored)).toEqual({ about: undefined, text: '' });
  });

  it('useSuspenseAll gives it for null', () => {
    expect(first(() => useSuspenseAll([[getPage, null]]))).toEqual([nothing]);
  });

  it('useDLE gives it along with the error of a first request', async () => {
    const failing = new Endpoint(
      async (_: { id: string }): Promise<never> => {
        throw new Error('no');
      },
      { name: 'failing', schema },
    );
    const controller = new Controller();
    await controller.fetch(failing, args).catch(() => {});
    const { result } = renderHook(() => useDLE(failing, args), {
      wrapper: ({ children }: { children: ReactNode }) => (
        <DataProvider controller={controller}>{children}</DataProvider>
      ),
    });
    expect(result.current).toMatchObject({ error: { message: 'no' }, data: nothing });
  });

  it.each<[string, () => unknown]>([
    ['useCache', () => useCache(getUser, args)],
    ['useDLE', () => useDLE(getUser, args).data],
    ['useQuery', () => useQuery(User, args)],
  ])('%s gives undefined for any other schema', (_, useStored) => {
    expect(first(useStored)).toBeUndefined();
  });
});

it('useQuery of an object schema has its plain values along with stored ones', () => {
  const controller = new Controller();
  controller.set(User, args, { id: '1', name: 'ann' });
  const { result, rerender } = renderHook(() => useQuery(schema, args), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <DataProvider controller={controller}>{children}</DataProvider>
    ),
  });
  const before = result.current;
  expect(before).toMatchObject({ user: { name: 'ann' }, total: 0, nested: { page: 1 } });
  rerender();
  expect(result.current).toBe(before);
  expect(controller.get(schema, args)).toMatchObject({ user: { name: 'ann' }, total: 0 });
});

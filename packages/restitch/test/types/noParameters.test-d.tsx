import {
  type ArgsOf,
  byOffset,
  Collection,
  type Controller,
  Entity,
  infinite,
  resource,
  RestEndpoint,
  windowed,
} from 'restitch';
import {
  useCancelling,
  useDLE,
  useFetch,
  useInfinite,
  useInfiniteDLE,
  useLive,
  useMutation,
  useSuspense,
  useWindow,
} from 'restitch/react';
import { type Equal, same } from './support.js';

class Post extends Entity {
  id = '';
}
const { getList } = resource({
  path: '/posts/:id',
  schema: Post,
  pagination: byOffset({ param: 'offset', total: 'total' }),
}).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
declare const controller: Controller;
const range = { start: 0, end: 1 };

// A list without parameters is read with `{}` as without arguments
export function Reader() {
  useInfinite(getList, {}).items satisfies readonly Post[];
  useInfinite(getList);
  useInfinite(getList, null);
  useInfiniteDLE(getList, {});
  useWindow(getList, [{}], range);
  useWindow(getList, [], range);
  useWindow(getList, [null], range);
  useSuspense(getList, {}).results satisfies Post[];
  useSuspense(getList);
  useSuspense(getList, null);
  useDLE(getList, {});
  useLive(getList, {});
  void useFetch(getList, {});
  useCancelling(getList, {});
  infinite(controller, getList, {});
  windowed(controller, getList, {});
  void controller.fetch(getList, {});
  void controller.fetch(getList);
  controller.setResponse(getList, { results: [], total: 0 });
  controller.setResponse(getList, {}, { results: [], total: 0 });
  // @ts-expect-error it has no parameter
  useInfinite(getList, { tag: 'a' });
  // @ts-expect-error it has no parameter
  useWindow(getList, [{ tag: 'a' }], range);
  // @ts-expect-error it has no parameter
  useSuspense(getList, { tag: 'a' });
  // @ts-expect-error it has no second parameter
  useInfinite(getList, {}, {});
}

// A mutation without parameters and body is an event handler
const signOut = new RestEndpoint({ path: '/session', method: 'DELETE' });
same<Equal<ArgsOf<typeof signOut>, []>>();
export function SignOut() {
  const { mutate } = useMutation(signOut);
  return <button onClick={mutate}>Sign out</button>;
}

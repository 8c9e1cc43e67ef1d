/** An endpoint with `nullable: true` gives `T | null` wherever it is read; without it, never null. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
  type Snapshot,
} from 'restitch';
import type {
  useCache,
  useDLE,
  useFetch,
  useLive,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
}
const controller = new Controller();
// Hooks are only called in components; their types are the same.
declare const hooks: {
  useCache: typeof useCache;
  useDLE: typeof useDLE;
  useFetch: typeof useFetch;
  useLive: typeof useLive;
  useSuspense: typeof useSuspense;
  useSuspenseAll: typeof useSuspenseAll;
};
declare const snapshot: Snapshot;

const getUser = new RestEndpoint({ path: '/users/:id', schema: User });
const getPartner = getUser.extend({ path: '/users/:id/partner', nullable: true });
const id = { id: '1' };
same<Equal<typeof getUser.nullable, undefined>>();
same<Equal<typeof getPartner.nullable, true>>();

// Controller
const fetched = controller.fetch(getPartner, id);
same<Equal<Awaited<typeof fetched>, User | null>>();
const fetchedIfStale = controller.fetchIfStale(getPartner, id);
same<Equal<Awaited<typeof fetchedIfStale>, User | null>>();
const response = controller.getResponse(getPartner, id);
same<Equal<typeof response, User | null | undefined>>();
const current = controller.observe(getPartner, id).getSnapshot();
if (current.status === 'ready') same<Equal<typeof current.data, User | null>>();
const before = snapshot.getResponse(getPartner, id);
same<Equal<typeof before, User | null | undefined>>();
const plain = controller.fetch(getUser, id);
same<Equal<Awaited<typeof plain>, User>>();

// Hooks
export function useAll(): void {
  const suspended = hooks.useSuspense(getPartner, id);
  same<Equal<typeof suspended, User | null>>();
  const live = hooks.useLive(getPartner, id);
  same<Equal<typeof live, User | null>>();
  const cached = hooks.useCache(getPartner, id);
  same<Equal<typeof cached, User | null | undefined>>();
  const promise = hooks.useFetch(getPartner, id);
  same<Equal<Awaited<typeof promise>, User | null>>();
  const [partner, user] = hooks.useSuspenseAll([
    [getPartner, id],
    [getUser, id],
  ]);
  same<Equal<typeof partner, User | null>>();
  same<Equal<typeof user, User>>();
  const { data, loading, error } = hooks.useDLE(getPartner, id);
  if (!loading && !error) same<Equal<typeof data, User | null>>();
  const notNow = hooks.useSuspense(getPartner, null);
  same<Equal<typeof notNow, User | null | undefined>>();
  // @ts-expect-error it may be null
  void suspended.id;
}

// It is inherited, and taken back
const renamed = getPartner.extend({ dataExpiryLength: 5 });
same<Equal<typeof renamed.nullable, true>>();
const again = controller.fetch(getPartner.extend({ nullable: false }), id);
same<Equal<Awaited<typeof again>, User>>();
// @ts-expect-error neither true nor false
getUser.extend({ nullable: 'yes' });

// Where it is not known at compile time, null is possible
declare const isNullable: boolean;
const maybe = controller.fetch(getUser.extend({ nullable: isNullable }), id);
same<Equal<Awaited<typeof maybe>, User | null>>();

// Lists and their pages, functions, subclasses, resources
const getTeam = new RestEndpoint({
  path: '/teams/:id',
  schema: new Collection([User]),
  nullable: true,
  paginationField: 'page',
});
const team = controller.fetch(getTeam, id);
same<Equal<Awaited<typeof team>, User[] | null>>();
const page = controller.fetch(getTeam.getPage, { ...id, page: 2 });
same<Equal<Awaited<typeof page>, User[] | null>>();
const find = new Endpoint(async (_text: string) => null as unknown, {
  schema: User,
  nullable: true,
});
const found = controller.fetch(find, 'a');
same<Equal<Awaited<typeof found>, User | null>>();
class Api<O extends RestGenerics = any> extends RestEndpoint<O> {}
const own = controller.fetch(new Api({ path: '/users/:id', schema: User, nullable: true }), id);
same<Equal<Awaited<typeof own>, User | null>>();
const Users = resource({ path: '/users/:id', schema: User }).extend('get', { nullable: true });
const inResource = controller.fetch(Users.get, id);
same<Equal<Awaited<typeof inResource>, User | null>>();
const AllNullable = resource({ path: '/users/:id', schema: User, nullable: true });
const every = controller.fetch(AllNullable.get, id);
same<Equal<Awaited<typeof every>, User | null>>();
const list = controller.fetch(AllNullable.getList);
same<Equal<Awaited<typeof list>, User[] | null>>();
// Of mutations nothing changes
const updated = controller.fetch(AllNullable.update, id, {});
same<Equal<Awaited<typeof updated>, User>>();

// Without a schema it says nothing
const raw = controller.fetch(
  new RestEndpoint({ path: '/x', nullable: true, process: (value: string) => value }),
);
same<Equal<Awaited<typeof raw>, string>>();

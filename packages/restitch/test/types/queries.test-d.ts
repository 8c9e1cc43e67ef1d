/** Questions to the store are checked against what the schema, or the endpoint that it is of, takes. */
import {
  Collection,
  Controller,
  CustomSchema,
  Entity,
  Query,
  resource,
  RestEndpoint,
  type Snapshot,
  Union,
  Values,
} from 'restitch';
import type { useQuery } from 'restitch/react';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
  name = '';
  age = 0;
}
class Link extends Entity {
  id = '';
  type = 'link' as const;
  url = '';
}
class Post extends Entity {
  id = '';
  type = 'post' as const;
  text = '';
}
const controller = new Controller();
declare const snapshot: Snapshot;
// A hook is only called in components; its type is the same.
declare const ask: typeof useQuery;

const Users = resource({
  path: '/teams/:team/users/:id',
  schema: User,
  searchParams: {} as { role?: 'admin' | 'guest'; limit?: number },
});
const everybody = Users.getList.schema;

// The list of an endpoint takes the arguments of the endpoint
same<Equal<ReturnType<typeof askUsers>, User[] | undefined>>();
function askUsers() {
  return ask(everybody, { team: 1, role: 'admin' });
}
ask(everybody, { team: 'a' });
ask(everybody, null);
// @ts-expect-error an unknown argument
ask(everybody, { team: 1, rule: 'admin' });
// @ts-expect-error not one of the literals
ask(everybody, { team: 1, role: 'boss' });
// @ts-expect-error the placeholder is missing
ask(everybody, { role: 'admin' });
// @ts-expect-error the arguments are missing
ask(everybody);
const got = controller.get(everybody, { team: 1 });
same<Equal<typeof got, User[] | undefined>>();
// @ts-expect-error an unknown argument
controller.get(everybody, { team: 1, rule: 'admin' });
controller.observeQuery(everybody, { team: 1, limit: 5 });
// @ts-expect-error an unknown argument
controller.observeQuery(everybody, { team: 1, limits: 5 });
snapshot.get(everybody, { team: 1 });
// @ts-expect-error an unknown argument
snapshot.get(everybody, { team: 1, rule: 'admin' });

// A list without parameters takes none, one with optional ones may be asked without
const Plain = resource({ path: '/users/:id', schema: User });
ask(Plain.getList.schema);
// @ts-expect-error it has no parameters
ask(Plain.getList.schema, { team: 1 });
const Searched = resource({
  path: '/users/:id',
  schema: User,
  searchParams: {} as { role?: string },
});
ask(Searched.getList.schema);
ask(Searched.getList.schema, { role: 'admin' });
// @ts-expect-error an unknown argument
ask(Searched.getList.schema, { rule: 'admin' });

// They follow what `extend` changes
const banned = Users.getList.extend({
  path: '/users/banned',
  searchParams: {} as { since?: string },
});
ask(banned.schema, { since: '2026' });
// @ts-expect-error a parameter of the other endpoint
ask(banned.schema, { team: 1 });
const moved = new RestEndpoint({ path: '/people/:city', schema: Users.getList.schema });
ask(moved.schema, { city: 'x' });
// @ts-expect-error a parameter of the other endpoint
ask(moved.schema, { team: 1 });

// A body is among them
const search = new RestEndpoint({
  path: '/search/:index',
  method: 'POST',
  sideEffect: undefined,
  body: {} as { text: string },
  schema: new Collection([User]),
});
ask(search.schema, { index: 1 }, { text: 'a' });
// @ts-expect-error an unknown field of the body
ask(search.schema, { index: 1 }, { test: 'a' });
// @ts-expect-error the body is missing
ask(search.schema, { index: 1 });

// In envelopes, by themselves or whole
const wrapped = new RestEndpoint({
  path: '/teams/:team/users',
  schema: { data: { results: new Collection([User]), next: '' }, total: 0 },
});
same<Equal<ReturnType<typeof askPart>, User[] | undefined>>();
function askPart() {
  return ask(wrapped.schema.data.results, { team: 1 });
}
// @ts-expect-error misspelled
ask(wrapped.schema.data.results, { taem: 1 });
ask(wrapped.schema, { team: 1 });
// @ts-expect-error misspelled
ask(wrapped.schema, { taem: 1 });
same<Equal<typeof wrapped.schema.total, number>>();

// Maps, queries, schemas and classes of one's own
const rates = new RestEndpoint({
  path: '/teams/:team/rates',
  schema: new Collection(new Values(User)),
});
ask(rates.schema, { team: 1 });
// @ts-expect-error misspelled
ask(rates.schema, { taem: 1 });
const counted = new RestEndpoint({
  path: '/teams/:team/users',
  schema: new Query(new Collection([User]), (users) => users.length),
});
same<Equal<ReturnType<typeof askCount>, number | undefined>>();
function askCount() {
  return ask(counted.schema, { team: 1 });
}
// @ts-expect-error misspelled
ask(counted.schema, { taem: 1 });
const ofTeam = new Query(Users.getList.schema, (users) => users.length);
ask(ofTeam, { team: 1 });
// @ts-expect-error misspelled
ask(ofTeam, { taem: 1 });
class Names extends CustomSchema<Collection<(typeof User)[]>, string[]> {
  denormalize(users: User[]) {
    return users.map(({ name }) => name);
  }
}
const names = new RestEndpoint({
  path: '/teams/:team/users',
  schema: new Names(new Collection([User])),
});
same<Equal<ReturnType<typeof askNames>, string[] | undefined>>();
function askNames() {
  return ask(names.schema, { team: 1 });
}
// @ts-expect-error misspelled
ask(names.schema, { taem: 1 });
class Sorted<S extends readonly unknown[]> extends Collection<S> {
  order(): string {
    return 'name';
  }
}
const sorted = new RestEndpoint({ path: '/teams/:team/users', schema: new Sorted([User]) });
ask(sorted.schema, { team: 1 });
// @ts-expect-error misspelled
ask(sorted.schema, { taem: 1 });
same<Equal<ReturnType<typeof sorted.schema.order>, string>>();
const resorted = new RestEndpoint({ path: '/cities/:city/users', schema: sorted.schema });
ask(resorted.schema, { city: 1 });
// @ts-expect-error a parameter of the other endpoint
ask(resorted.schema, { team: 1 });

// A collection by itself takes what it declares, or anything
const byTeam = new Collection([User], { argsKey: ({ team }: { team: string }) => ({ team }) });
controller.get(byTeam, { team: 'a' });
// @ts-expect-error misspelled
controller.get(byTeam, { taem: 'a' });
controller.get(new Collection([User]), { whatever: 1 });

// A record is named by its key, or by fields
controller.get(User, '1');
controller.get(User, { id: 1 });
controller.get(User, { name: 'Ada' });
ask(User, 5);
// @ts-expect-error no field of it
controller.get(User, { nothere: 1 });
// @ts-expect-error what names the record is missing
controller.get(User);
// @ts-expect-error not a key
controller.get(User, true);
const feed = new Union({ link: Link, post: Post }, 'type');
controller.get(feed, { id: '1', type: 'link' });
controller.get(feed, { url: '/a' });
// @ts-expect-error a field of none
controller.get(feed, { nothere: 1 });
class Member extends User {
  static override queryKey([{ login }]: readonly [{ login: string }]) {
    return { name: login };
  }
}
controller.get(Member, { login: 'ada' });
// @ts-expect-error its `queryKey` says what it takes
controller.get(Member, { id: '1' });

// Objects take what one of their parts takes, arrays one for each member
const both = controller.get({ user: User, at: '' }, { id: '1' });
same<Equal<typeof both, { user: User; at: string } | undefined>>();
// @ts-expect-error no field of it
controller.get({ user: User, at: '' }, { idd: '1' });
controller.get({ user: User, list: byTeam }, { team: 'a' });
const several = controller.get([User], ['1', { id: 2 }]);
same<Equal<typeof several, User[] | undefined>>();
// @ts-expect-error no field of it
controller.get([User], [{ idd: 1 }]);
// @ts-expect-error several keys
controller.get([User], '1');

// What is not known is not checked
declare const unknownSchema: unknown;
controller.get(unknownSchema, 1, 2, 3);
declare const anySchema: any;
controller.get(anySchema, { whatever: 1 });
declare const anyEndpoint: RestEndpoint;
controller.get(anyEndpoint.schema, { whatever: 1 });

/** What schemas read as, and what questions to the store take. */
import {
  All,
  Collection,
  Controller,
  CustomSchema,
  type Denormalize,
  Entity,
  EntityMixin,
  indexBy,
  Invalidate,
  Lazy,
  Query,
  Union,
  Values,
} from 'restitch';
import type { useQuery } from 'restitch/react';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
  name = '';
  age = 0;
  static override indexes = indexBy('name');
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
  static override schema = { likes: new Lazy([User]), author: new Lazy(User) };
}
const controller = new Controller();
// A hook is only called in components; its type is the same.
declare const ask: typeof useQuery;

// Elements of maps, arrays and objects
same<Equal<Denormalize<Values<typeof User>>, Record<string, User>>>();
same<Equal<Denormalize<(typeof User)[]>, User[]>>();
same<
  Equal<Denormalize<{ users: (typeof User)[]; at: typeof Date }>, { users: User[]; at: Date }>
>();
same<Equal<Denormalize<All<typeof User>>, User[]>>();

// The discriminator is a field of every class
const feed = new Union({ link: Link, post: Post }, 'type');
same<Equal<Denormalize<typeof feed>, Link | Post>>();
same<Equal<Denormalize<typeof feed>['type'], 'link' | 'post'>>();
new Union({ link: Link, post: Post }, (value: { url?: string }) => (value.url ? 'link' : 'post'));
// @ts-expect-error not every class has it
new Union({ link: Link, post: Post }, 'url');
// @ts-expect-error both are needed
new Union({ link: Link, post: Post });

// A union in a union
const nested = new Union({ user: User, feed }, (value: { kind: string }) => value.kind);
same<Equal<Denormalize<typeof nested>, User | Link | Post>>();
new Union({ link: Link, feed }, 'type');
// @ts-expect-error a user has no type
new Union({ user: User, feed }, 'type');
// @ts-expect-error neither a class nor a union
new Union({ feed: [feed] }, 'type');
const nestedOne = controller.get(nested, { id: '1' });
same<Equal<typeof nestedOne, User | Link | Post | undefined>>();

// A map of classes and what chooses is short for a union
const maps = {
  values: new Values({ link: Link, post: Post }, 'type'),
  all: new All({ link: Link, post: Post }, 'type'),
  gone: new Invalidate({ link: Link, post: Post }, (value: { url?: string }) =>
    value.url ? 'link' : 'post',
  ),
};
same<Equal<Denormalize<typeof maps.values>, Record<string, Link | Post>>>();
same<Equal<Denormalize<typeof maps.all>, (Link | Post)[]>>();
same<Equal<Denormalize<typeof maps.gone>, Link | Post | undefined>>();
same<Equal<typeof maps.values.schema.schemaAttribute, 'type'>>();
const feeds = new Collection([{ link: Link, post: Post }], {
  schemaAttribute: 'type',
  argsKey: ({ team }: { team: string }) => ({ team }),
});
same<Equal<Denormalize<typeof feeds>, (Link | Post)[]>>();
same<Equal<ReturnType<typeof askFeeds>, (Link | Post)[] | undefined>>();
function askFeeds() {
  return ask(feeds, { team: 'a' });
}
// @ts-expect-error misspelled
ask(feeds, { taem: 'a' });
const feedByFunction = new Collection([{ link: Link, post: Post }], {
  schemaAttribute: (value: { url?: string }) => (value.url ? 'link' : 'post'),
});
same<Equal<Denormalize<typeof feedByFunction>, (Link | Post)[]>>();
// @ts-expect-error not every class has it
new Collection([{ link: Link, post: Post }], { schemaAttribute: 'url' });
// @ts-expect-error a list of one class has no choice
new Collection([Link], { schemaAttribute: 'type' });
// Without what chooses, each member of a map is an object of schemas
const objects = new Values({ link: Link, at: '' });
same<Equal<Denormalize<typeof objects>, Record<string, { link: Link; at: string }>>>();
// @ts-expect-error not every class has it
new Values({ link: Link, post: Post }, 'url');
// @ts-expect-error not a class
new All({ link: Link, post: 5 }, 'type');
// @ts-expect-error what chooses is missing
new All({ link: Link, post: Post });
// @ts-expect-error what chooses is missing
new Invalidate({ link: Link, post: Post });
class Rates extends Values<typeof User> {}
const rates = new Rates(User);
same<Equal<Denormalize<typeof rates>, Record<string, User>>>();

// What is not there is undefined
same<Equal<ReturnType<typeof askUser>, User | undefined>>();
function askUser(id: string) {
  return ask(User, { id });
}
const users = controller.get(new All(User));
same<Equal<typeof users, User[] | undefined>>();

// The fields of an entity or a union
ask(User, { id: '1' });
ask(User, { name: 'ada' });
ask(User, { id: 5 });
ask(User, null);
ask(feed, { id: '1', type: 'link' });
// @ts-expect-error no field of a user
ask(User, { nothere: 1 });
// @ts-expect-error a name is text
ask(User, { name: true });
// @ts-expect-error what names the record is missing
ask(User);
// @ts-expect-error no field that all of them have
ask(feed, { nothere: 1 });

// The arguments of a collection
const byTeam = new Collection([User], {
  argsKey: ({ team }: { team: string }) => ({ team }),
});
same<Equal<ReturnType<typeof askTeam>, User[] | undefined>>();
function askTeam() {
  return ask(byTeam, { team: 'a' });
}
// @ts-expect-error misspelled
ask(byTeam, { taem: 'a' });

// Queries infer their arguments and values
const oldest = new Query(new All(User), (list, { limit }: { limit: number }) => {
  same<Equal<typeof list, User[]>>();
  return list.slice(0, limit).map(({ age }) => age);
});
same<Equal<Denormalize<typeof oldest>, number[]>>();
same<Equal<ReturnType<typeof askOldest>, number[] | undefined>>();
function askOldest() {
  return ask(oldest, { limit: 1 });
}
// @ts-expect-error the limit is a number
ask(oldest, { limit: 'many' });
// @ts-expect-error the arguments are missing
ask(oldest);
const teamSize = new Query(byTeam, (list) => list.length);
same<Equal<ReturnType<typeof askTeamSize>, number | undefined>>();
function askTeamSize() {
  return ask(teamSize, { team: 'a' });
}
// @ts-expect-error without arguments of its own it takes those of the collection
ask(teamSize, { taem: 'a' });
const everybody = new Query(new All(User), (list) => list.length);
ask(everybody);
// @ts-expect-error there is nothing to say
ask(everybody, { id: 1 });
// @ts-expect-error the function is missing
new Query(User);

// Lazy relations are keys, and resolve to records
same<Equal<Denormalize<typeof Post.schema.likes>, readonly string[]>>();
same<Equal<Denormalize<typeof Post.schema.author>, string>>();
same<Equal<ReturnType<typeof askLikes>, User[] | undefined>>();
function askLikes() {
  return ask(Post.schema.likes, ['1', 2]);
}
const author = controller.get(Post.schema.author, '1');
same<Equal<typeof author, User | undefined>>();
// @ts-expect-error several keys
ask(Post.schema.likes, '1');
// @ts-expect-error one key
ask(Post.schema.author, ['1']);

// Classes that exist already
class Old {
  static version = 1;
  code = '';
  shout(): string {
    return this.code.toUpperCase();
  }
}
class OldEntity extends EntityMixin(Old) {
  static override key = 'Old';
  override pk() {
    return this.code;
  }
}
const old = controller.get(OldEntity, { code: 'a' });
same<Equal<typeof old, OldEntity | undefined>>();
same<Equal<ReturnType<OldEntity['shout']>, string>>();
same<Equal<typeof OldEntity.version, number>>();
EntityMixin(Old, { pk: 'code' });
EntityMixin(Old, { pk: ({ code }) => code });
// @ts-expect-error no field of it
EntityMixin(Old, { pk: 'nothere' });
class Needy {
  constructor(what: string) {
    void what;
  }
}
// @ts-expect-error it cannot be made without arguments
EntityMixin(Needy);

// A schema of one's own
class Counted extends CustomSchema<(typeof User)[], { count: number }> {
  denormalize(list: User[]) {
    return { count: list.length };
  }
}
const counted = new Counted([User]);
same<Equal<Denormalize<typeof counted>, { count: number }>>();
// @ts-expect-error denormalize is missing
class Incomplete extends CustomSchema<(typeof User)[], { count: number }> {}
void Incomplete;

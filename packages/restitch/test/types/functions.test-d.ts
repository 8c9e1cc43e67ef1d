import { type ArgsOf, Endpoint, type EndpointInterface, Entity, type ValueOf } from 'restitch';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
}

const find = new Endpoint(
  async function find(text: string, limit?: number) {
    return [text, limit] as const;
  },
  { dataExpiryLength: 5, unit: 'ms' },
);
same<Equal<Awaited<ReturnType<typeof find>>, readonly [string, number | undefined]>>();
same<Equal<typeof find.unit, string>>();
same<Equal<ArgsOf<typeof find>[0], string>>();
same<Equal<ValueOf<typeof find>, readonly [string, number | undefined]>>();
void find('a');
find.key('a', 5);
// @ts-expect-error not a text
void find(5);
// @ts-expect-error too many arguments
void find('a', 5, 6);

const users = find.extend({ schema: [User], sideEffect: true, more: 1 });
same<Equal<typeof users.more, number>>();
same<Equal<typeof users.unit, string>>();
same<Equal<typeof users.sideEffect, true>>();
same<Equal<ValueOf<typeof users>, User[]>>();
// @ts-expect-error a number is not a text
find.extend({ name: 5 });

const anyEndpoint: EndpointInterface[] = [find, users];
void anyEndpoint;

import {
  type ArgsOf,
  Endpoint,
  type EndpointFunction,
  type EndpointInterface,
  type EndpointShape,
  Entity,
  type ValueOf,
} from 'restitch';
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

// Without options
const bare = new Endpoint(async (id: number) => ({ id }));
same<Equal<typeof bare.schema, undefined>>();
same<Equal<typeof bare.sideEffect, undefined>>();
same<Equal<ValueOf<typeof bare>, { id: number }>>();
// @ts-expect-error not a number
void bare('5');
// @ts-expect-error no such member
void bare.unit;

// `this` in the function is the endpoint, with its extra options
const measured = new Endpoint(
  async function measure(id: string) {
    same<Equal<typeof this.unit, string>>();
    same<Equal<typeof this.sideEffect, true>>();
    same<Equal<typeof this.name, string>>();
    // @ts-expect-error no such member
    void this.nothere;
    return { id, unit: this.unit, signal: this.signal };
  },
  { unit: 'ms', sideEffect: true },
);
same<Equal<ArgsOf<typeof measured>, [id: string]>>();
same<Equal<ValueOf<typeof measured>['unit'], string>>();
void measured('5');
// @ts-expect-error not a text
void measured(5);
const withoutParameters = new Endpoint(
  async function now() {
    return this.zone;
  },
  { zone: 'UTC' },
);
same<Equal<ValueOf<typeof withoutParameters>, string>>();
const withoutOptions = new Endpoint(async function now() {
  // @ts-expect-error no such member
  void this.zone;
  return this.signal;
});
same<
  Equal<ValueOf<typeof withoutOptions>, AbortSignal | (() => AbortSignal | undefined) | undefined>
>();
// In methods that are options too
new Endpoint(async (id: string) => id, {
  unit: 'ms',
  key(id) {
    same<Equal<typeof id, string>>();
    return `${this.unit} ${id}`;
  },
});
measured.extend({
  scale: 2,
  async fetch(id) {
    same<Equal<typeof this.scale, number>>();
    same<Equal<typeof this.unit, string>>();
    return { id, unit: this.unit, signal: this.signal };
  },
});

// Classes of one's own
class Logged<F extends EndpointFunction> extends Endpoint<F> {
  log: string[] = [];
  note(): void {
    this.log.push(this.name);
  }
  override fetch(...args: Parameters<F>): ReturnType<F> {
    return super.fetch(...args);
  }
}
const logged = new Logged(async (id: string) => ({ id }), { schema: User, unit: 'ms' });
same<Equal<ArgsOf<typeof logged>, [id: string]>>();
logged.note();
// @ts-expect-error not a text
void logged(5);
class Typed<F extends EndpointFunction, O extends EndpointShape = any> extends Endpoint<F, O> {
  count = 0;
}
const typed = new Typed(async (id: string) => ({ id }), { schema: User, sideEffect: true });
same<Equal<typeof typed.schema, typeof User>>();
same<Equal<typeof typed.sideEffect, true>>();
same<Equal<ValueOf<typeof typed>, User>>();
void typed.count;
class Plain extends Endpoint {}
void new Plain(async (id: string) => id)('5');
class Fixed extends Endpoint<(id: string) => Promise<number>> {}
const fixed = new Fixed(async (id) => Number(id));
same<Equal<ArgsOf<typeof fixed>, [id: string]>>();
// Members of the class stay through `extend`
const longer = logged.extend({ dataExpiryLength: 5 });
longer.note();
const own: EndpointInterface[] = [logged, typed, fixed, measured];
void own;

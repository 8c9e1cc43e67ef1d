import {
  type ArgsOf,
  Entity,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type RestGenerics,
  type RetryOptions,
  type Validator,
  type ValueOf,
} from 'restitch';
import { z } from 'zod';
import { type Equal, same } from './support.js';

declare function read<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;
type Result<F extends (...args: any) => Promise<unknown>> = Awaited<ReturnType<F>>;

class User extends Entity {
  id = '';
}
interface Row {
  id: string;
  at: Date;
}
declare const rowValidator: Validator<Row>;
const zodRow = z.object({ id: z.string().transform(Number), tags: z.array(z.string()).optional() });

// The output is what a call resolves to
const row = new RestEndpoint({ path: '/rows/:id', validate: rowValidator });
same<Equal<Result<typeof row>, Row>>();
const zodded = new RestEndpoint({ path: '/rows/:id', validate: zodRow });
same<Equal<Result<typeof zodded>, { id: number; tags?: string[] | undefined }>>();
same<Equal<ReturnType<typeof read<typeof row>>, Row>>();
void zodded({ id: 1 });
// @ts-expect-error misspelled
void zodded({ idd: 1 });

// … where readers see instances, if there is a schema
const user = new RestEndpoint({ path: '/users/:id', schema: User, validate: rowValidator });
same<Equal<Result<typeof user>, Row>>();
same<Equal<ReturnType<typeof read<typeof user>>, User>>();

// `process` gets it
const processed = new RestEndpoint({
  path: '/rows/:id',
  validate: rowValidator,
  process(value, { id }) {
    same<Equal<typeof value, Row>>();
    return [value.at, id] as const;
  },
});
same<Equal<Result<typeof processed>, readonly [Date, string | number]>>();
row.extend({
  // @ts-expect-error not what the validator gives
  process: (value: { other: number }) => value,
});

// extend
const plain = new RestEndpoint({ path: '/rows/:id' });
same<Equal<Result<typeof plain>, any>>();
const later = plain.extend({ validate: zodRow });
same<Equal<Result<typeof later>, { id: number; tags?: string[] | undefined }>>();
const laterProcessed = plain.extend({ validate: rowValidator, process: (value) => value.at });
same<Equal<Result<typeof laterProcessed>, Date>>();
const furtherProcessed = row.extend({ process: (value) => value.at });
same<Equal<Result<typeof furtherProcessed>, Date>>();
const kept = row.extend({ timeout: 5 }).extend({ path: '/others/:id' });
same<Equal<Result<typeof kept>, Row>>();
const removed = row.extend({ validate: undefined });
same<Equal<Result<typeof removed>, any>>();

// Resources: each endpoint has its own
const Users = resource({ path: '/users/:id', schema: User }).extend({
  get: { validate: rowValidator },
  getList: { validate: z.array(zodRow), process: (value) => value.map(({ id }) => ({ id })) },
});
same<Equal<Result<typeof Users.get>, Row>>();
same<Equal<Result<typeof Users.getList>, { id: number }[]>>();
// @ts-expect-error get and getList have different responses
resource({ path: '/users/:id', schema: User, validate: rowValidator });

// Subclasses
class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  override retry = 2;
}
const ofClass = new Api({ path: '/rows/:id', validate: rowValidator });
same<Equal<Result<typeof ofClass>, Row>>();

// @ts-expect-error not a validator
new RestEndpoint({ path: '/rows/:id', validate: (value: unknown) => value });

// retry
const retry: RetryOptions = { limit: 3, statusCodes: [429], methods: ['PUT'], backoff: (n) => n };
new RestEndpoint({ path: '/rows/:id', retry });
plain.extend({ retry: 2 });
resource({ path: '/users/:id', schema: User, retry: 2 });
// @ts-expect-error how often?
plain.extend({ retry: { statusCodes: [429] } });
// @ts-expect-error not a number
new RestEndpoint({ path: '/rows/:id', retry: true });

import { Entity, RestEndpoint, type RestGenerics } from 'restitch';
import { z } from 'zod';

/**
 * Checks each response with a zod schema before it is stored.
 *
 * Use it when the server may send unexpected data. The output of zod is used, including its
 * defaults, conversions, and stripped keys. A response that doesn't match rejects with the
 * `ZodError`, and nothing is stored.
 */
export class ZodEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly validator?: z.ZodType;

  override process(value: unknown): any {
    return this.validator ? this.validator.parseAsync(value) : value;
  }
}

const userValidator = z.object({
  id: z.string(),
  name: z.string().min(1),
  role: z.enum(['admin', 'member']).default('member'),
});

/** Repeats the field names: zod checks the response, and readers get the entity. */
export class User extends Entity {
  id = '';
  name = '';
  role: z.infer<typeof userValidator>['role'] = 'member';

  static override readonly key = 'User';
}

/** Checked by zod, then normalized by the entity. */
export const getUser = new ZodEndpoint({
  path: '/users/:id',
  schema: User,
  validator: userValidator,
});

/** Without an entity, nothing is normalized. The validator defines the type of the call. */
export const getStatistics = new RestEndpoint({
  path: '/statistics',
  process: (value: unknown) => z.object({ users: z.number().int() }).parse(value),
});

import { Entity, RestEndpoint, type RestGenerics } from 'restitch';
import { z } from 'zod';

/**
 * A zod schema checks each answer before it is stored.
 *
 * Use it when the server may send something else than it promises. What zod gives back is what is used: its defaults,
 * conversions and stripped keys included. An answer that does not fit rejects with the `ZodError`, and nothing is stored.
 */
export class ZodEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly answer?: z.ZodType;

  override process(value: unknown): any {
    return this.answer ? this.answer.parseAsync(value) : value;
  }
}

const userAnswer = z.object({
  id: z.string(),
  name: z.string().min(1),
  role: z.enum(['admin', 'member']).default('member'),
});

/** Its fields repeat the names: zod checks what arrives, the entity is what readers see. */
export class User extends Entity {
  id = '';
  name = '';
  role: z.infer<typeof userAnswer>['role'] = 'member';

  static override readonly key = 'User';
}

/** Checked by zod, then normalized by the entity. */
export const getUser = new ZodEndpoint({ path: '/users/:id', schema: User, answer: userAnswer });

/** Without an entity nothing is normalized; the type of the call follows from the validator. */
export const getStatistics = new RestEndpoint({
  path: '/statistics',
  process: (value: unknown) => z.object({ users: z.number().int() }).parse(value),
});

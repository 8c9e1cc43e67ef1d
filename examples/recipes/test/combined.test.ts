/** Recipes that extend one another, in either order: that this compiles is half of the test. */
import type { RestGenerics } from 'restitch';
import { expect, expectTypeOf, it } from 'vitest';
import { type CamelCaseEndpoint, convertKeys, toCamelCase, toSnakeCase } from '../src/keyCase.js';
import type { RenamedKeysEndpoint } from '../src/keyRename.js';
import { RefreshingEndpoint, Session } from '../src/refreshedBearerToken.js';
import { startServer } from './support/server.js';

class RefreshingCamelCase<O extends RestGenerics = any> extends RefreshingEndpoint<O> {
  override process(value: unknown): any {
    return convertKeys(value, toCamelCase);
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return super.getRequestInit(body ? convertKeys(body, toSnakeCase) : body);
  }
}

// Each may stand where the other is extended: their methods have one signature.
type Init = RefreshingEndpoint['getRequestInit'];
expectTypeOf<CamelCaseEndpoint['getRequestInit']>().toEqualTypeOf<Init>();
expectTypeOf<RenamedKeysEndpoint['getRequestInit']>().toEqualTypeOf<Init>();

it('one scheme extends another, whose `getRequestInit` is async', async () => {
  const server = await startServer(() => ({ body: { user_name: 'Ada' } }));
  const session = new Session(async () => 'token');
  const options = {
    urlPrefix: server.origin,
    path: '/users',
    method: 'POST',
    body: {} as object,
  } as const;
  const save = new RefreshingCamelCase({ ...options, session });
  expect(await save({ userName: 'Ada' })).toEqual({ userName: 'Ada' });
  expect(server.bodies()).toEqual([{ user_name: 'Ada' }]);
});

it('a form whose class has no tag, as in a simulated DOM, is passed on', () => {
  class UntaggedForm extends FormData {
    get [Symbol.toStringTag](): string {
      return 'Object';
    }
  }
  const form = new UntaggedForm();
  expect(convertKeys({ form }, toSnakeCase)).toEqual({ form });
  expect(convertKeys(form, toSnakeCase)).toBe(form);
});

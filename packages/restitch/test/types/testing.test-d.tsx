import { type Controller, Endpoint, Entity, resource, RestEndpoint } from 'restitch';
import { useSuspense } from 'restitch/react';
import { type Fixture, mockFixtures, MockProvider, renderDataHook } from 'restitch/testing';
import { expectTypeOf } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
}
const Users = resource({ path: '/users/:id', schema: User });
const getLength = new Endpoint(async function getLength(text: string): Promise<number> {
  return text.length;
});
const getPrice = new RestEndpoint({
  path: '/prices/:coin',
  process: (value: { euros: string }) => Number(value.euros),
});

// Each fixture is checked against its own endpoint
mockFixtures([
  { endpoint: Users.get, args: [{ id: '1' }], response: { id: '1', name: 'Ada' } },
  { endpoint: Users.get, response: ({ id }) => ({ id }), delay: 5 },
  { endpoint: Users.partialUpdate, response: async ({ id }, body) => ({ id, ...body }) },
  { endpoint: Users.delete, args: [{ id: 1 }], error: new Error('locked') },
  { endpoint: getLength, args: ['a'], response: 1 },
  { endpoint: getLength, response: (text) => text.length },
  { endpoint: getPrice, args: [{ coin: 'BTC' }], response: 1 },
]);

mockFixtures([
  // @ts-expect-error misspelled parameter
  { endpoint: Users.get, args: [{ ids: '1' }], response: {} },
  // @ts-expect-error the body is missing
  { endpoint: Users.update, args: [{ id: '1' }], response: {} },
  // @ts-expect-error text where a number is the response
  { endpoint: getLength, args: ['a'], response: '1' },
  // @ts-expect-error a function that gives text
  { endpoint: getLength, response: (text) => text },
  // @ts-expect-error what `process` takes, not what it gives
  { endpoint: getPrice, args: [{ coin: 'BTC' }], response: { euros: '1' } },
  // @ts-expect-error neither response nor error
  { endpoint: getLength, args: ['a'] },
  // @ts-expect-error a response and an error
  { endpoint: getLength, args: ['a'], response: 1, error: new Error('both') },
  // @ts-expect-error misspelled option
  { endpoint: getLength, args: ['a'], response: 1, delays: 5 },
]);

export const story = (
  <MockProvider
    fixtures={[
      { endpoint: Users.get, args: [{ id: '1' }], response: { id: '1' } },
      // @ts-expect-error a number where the endpoint takes text
      { endpoint: getLength, args: [1], response: 1 },
    ]}
  />
);

// Lists that are kept elsewhere
const common: readonly Fixture[] = [
  { endpoint: Users.get, args: [{ id: '1' }], response: { id: '1' } },
];
mockFixtures(common);
mockFixtures([...common, { endpoint: getLength, response: (text) => text.length }]);
export const exact: Fixture<typeof getLength> = {
  endpoint: getLength,
  // @ts-expect-error not a text
  args: [1],
  response: 1,
};

// The result of a hook
const { result, controller, rerender } = renderDataHook(
  ({ id }: { id: string }) => useSuspense(Users.get, { id }),
  { initialProps: { id: '1' }, fixtures: common },
);
expectTypeOf(result.current).toEqualTypeOf<User>();
expectTypeOf(result.error).toEqualTypeOf<Error | undefined>();
expectTypeOf(controller).toEqualTypeOf<Controller>();
rerender();
rerender({ id: '2' });
// @ts-expect-error not its props
rerender({ ids: '2' });
// @ts-expect-error not its props
renderDataHook(({ id }: { id: string }) => id, { initialProps: { ids: '1' } });
// @ts-expect-error the hook needs props
renderDataHook(({ id }: { id: string }) => id);
// @ts-expect-error the hook needs props
renderDataHook(({ id }: { id: string }) => id, { fixtures: common });
renderDataHook(() => 1, {
  fixtures: [
    { endpoint: getLength, response: (text) => text.length },
    // @ts-expect-error misspelled parameter
    { endpoint: Users.get, args: [{ ids: '1' }], response: {} },
  ],
});

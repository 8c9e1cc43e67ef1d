/** The class of a map has a `pk` that returns the key in the map. */
import { Collection, Controller, Entity, RestEndpoint, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';

class Rate extends Entity {
  price = 0;
  type = 'rate';
  static override key = 'Rate of a map';
  override pk(_parent?: unknown, key?: string) {
    return key;
  }
}

class Bond extends Rate {
  static override key = 'Bond of a map';
}

const MEMBERS = { 'one class': Rate, 'a union': new Union({ rate: Rate, bond: Bond }, 'type') };

describe.each(Object.entries(MEMBERS))('assign to a map of %s', (_, member) => {
  it.each([true, false])(
    'stores the records of the response by their keys (optimistic: %s)',
    async (isOptimistic) => {
      const answers: ((value: object) => void)[] = [];
      const rates = new Collection(new Values(member));
      const assign = new RestEndpoint({
        urlPrefix: 'http://x',
        path: '/rates',
        method: 'POST',
        body: {} as Record<string, Partial<Rate>>,
        schema: rates.assign,
        send: () =>
          new Promise((resolve) => {
            answers.push((value) => resolve(Response.json(value)));
          }),
      });
      const optimistic = assign.extend({ getOptimisticResponse: (__, body) => body });
      const controller = new Controller();
      controller.set(
        rates,
        {},
        {
          eur: { price: 1, type: 'rate' },
          usd: { price: 2, type: 'rate' },
        },
      );
      const prices = () => {
        const all = Object.entries(controller.get(rates, {}) ?? {});
        return Object.fromEntries(all.map(([key, { price }]) => [key, price]));
      };
      const body = { gbp: { price: 3, type: 'rate' }, eur: { price: 9, type: 'rate' } };
      const call = controller.fetch(isOptimistic ? optimistic : assign, body);
      const expected = { eur: 9, usd: 2, gbp: 3 };
      expect(prices()).toEqual(isOptimistic ? expected : { eur: 1, usd: 2 });
      await new Promise((resolve) => setImmediate(resolve));
      answers[0]?.(body);
      await call;
      expect(prices()).toEqual(expected);
      expect(controller.get(Rate, 'gbp')?.price).toBe(3);
    },
  );
});

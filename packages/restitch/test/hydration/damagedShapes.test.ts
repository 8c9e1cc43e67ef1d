/** A stored value of another shape than its schema is reported, and no reader is shown it. */
import { Collection, Controller, Endpoint, Entity, Values } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Part extends Entity {
  id = '';
  static override key = 'DamagedPart';
}
class Whole extends Entity {
  id = '';
  value: unknown = undefined;
  static override key = 'DamagedWhole';
}

const shapes: [string, unknown, unknown][] = [
  ['a map', new Values(Part), { a: { id: '1' } }],
  ['an object', { part: Part, note: '' }, { part: { id: '1' }, note: 'x' }],
];
const damages: unknown[] = [5, 'text', true, [], [5], [null]];

function damaged(endpoint: any, response: unknown, damage: (state: any) => void) {
  const server = new Controller({ environment: { now: () => 1_000 } });
  server.setResponse(endpoint, {}, response);
  const state = JSON.parse(JSON.stringify(getState(server)));
  damage(state);
  const codes: unknown[] = [];
  const controller = new Controller({
    environment: {
      now: () => 2_000,
      report: (error) => codes.push((error as { code?: unknown }).code),
    },
  });
  hydrate(controller, state);
  return { status: controller.observe(endpoint, {}).getSnapshot().status, codes };
}

const named = (schema: unknown) =>
  new Endpoint(async (_: object): Promise<any> => null, { name: 'damaged', schema });

describe.each(shapes)('%s in state', (_, schema, value) => {
  it.each(damages)('that is %j as a result is reported and not taken', (other) => {
    const found = damaged(named(schema), value, (state) => (state.results[0].value = other));
    expect(found).toEqual({ status: 'pending', codes: ['damaged-state'] });
  });

  it.each(damages)('that is %j in a row is reported and not taken', (other) => {
    class Holder extends Whole {
      static override schema: Record<string, unknown> = { value: schema };
    }
    const found = damaged(named(Holder), { id: 'h', value }, (state) => {
      state.entities.DamagedWhole[0].fields.value = other;
    });
    expect(found).toEqual({ status: 'pending', codes: ['other-class'] });
  });

  it('that is undamaged is shown without a report', () => {
    expect(damaged(named(schema), value, () => {})).toEqual({ status: 'ready', codes: [] });
  });
});

it.each(damages)('the arguments of a list that are %j are reported and not taken', (other) => {
  const list = named(new Collection([Part]));
  const found = damaged(list, [{ id: '1' }], (state) => (state.results[0].value = other));
  expect(found).toEqual({ status: 'pending', codes: ['damaged-state'] });
});

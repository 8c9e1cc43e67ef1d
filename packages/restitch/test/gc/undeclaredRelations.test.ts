/**
 * A hydrated record has fields that no class of this visit declares. Garbage collection cannot
 * follow them. A later visit must fetch the record if it has lost the records behind these fields.
 */
import { Collection, Controller, Entity, resource, type StoreState, Union, Values } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { serverOfFile } from '../support/server.js';

const HOUR = 3_600_000;
const server = await serverOfFile();

/** The classes and endpoints of one visit. */
function visit(form: Form) {
  class Person extends Entity {
    id = '';
    nick = '';
    static override key = 'RelatedPerson';
  }
  class Summary extends Entity {
    id = '';
    name = '';
    static override key = 'RelatedItem';
  }
  class Plain extends Summary {
    extra: unknown = undefined;
    body = '';
  }
  const relations = {
    'a record': Person,
    'an array': [Person],
    'a map': new Values(Person),
    'an object': { editor: Person },
    'a union': new Union({ person: Person }, 'kind' as never) as any,
    'a list': new Collection([Person], { name: 'RelatedTeam' }),
  };
  class Item extends Summary {
    extra: unknown = undefined;
    body = '';
    static override schema = { extra: relations[form] } as Record<string, any>;
  }
  const of = (path: string, schema: typeof Summary) =>
    resource({ urlPrefix: server.origin, path: `/${path}/:id`, schema, dataExpiryLength: HOUR });
  return {
    Person,
    Summaries: of('summaries', Summary),
    Plains: of('plains', Plain),
    Items: of('items', Item as typeof Summary) as any,
    People: of('people', Person as any),
  };
}

const person = (nick: string) => ({ id: nick, nick });
const ada = person('Ada');
const values = {
  'a record': ada,
  'an array': [ada],
  'a map': { chief: ada },
  'an object': { editor: ada },
  'a union': { kind: 'person', ...ada },
  'a list': [ada],
};
type Form = keyof typeof values;
let extra: unknown;
server.respond(({ url }) => {
  if (url === '/people') return Array.from({ length: 20 }, (_, index) => person(`p${index}`));
  if (url === '/summaries') return [{ id: 'i1', name: 'I' }];
  if (url === '/plains') return [{ id: 'i1', name: 'I', body: 'long' }];
  return { id: 'i1', name: 'I', body: 'long', extra };
});

function open(maxEntities: number, state?: StoreState) {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ maxEntities, environment: clock.environment });
  if (state) hydrate(controller, state);
  const save = (): StoreState => JSON.parse(JSON.stringify(getState(controller)));
  return { clock, controller, save };
}

async function check(controller: Controller, { Items }: ReturnType<typeof visit>): Promise<void> {
  const { extra: shown }: any = await controller.fetchIfStale(Items.get, { id: 'i1' });
  expect(JSON.parse(JSON.stringify(shown))).toMatchObject(Object(extra));
}

const forms = Object.keys(values) as Form[];
const others = ['Summaries', 'Plains'] as const;
const cases = forms.flatMap((form) => others.map((other) => [form, other] as const));

it.each(cases)(
  'a record that refers to evicted records by %s is fetched, if only the class of %s was used',
  async (form, other) => {
    extra = values[form];
    for (const isReadFirst of [false, true]) {
      for (const isInvalidated of [false, true]) {
        const first = open(Infinity);
        const { Items, Plains } = visit(form);
        if (other === 'Plains') await first.controller.fetch(Plains.getList);
        await first.controller.fetch(Items.get, { id: 'i1' });
        if (isInvalidated) await first.controller.invalidateAll(Items.get);
        const second = open(8, first.save());
        const kinds = visit(form);
        if (isReadFirst) second.controller.get(kinds.Person, { id: 'Ada' });
        const view = second.controller.observe(kinds[other].getList);
        const stop = view.subscribe(() => {});
        await view.load();
        await second.controller.fetch(kinds.People.getList);
        await second.clock.pass(0);
        const state = second.save();
        expect(JSON.stringify(state.entities.RelatedPerson)).not.toContain('Ada');
        // A reader with the class, in this visit or after another one.
        await check(second.controller, visit(form));
        stop();
        await check(open(Infinity, state).controller, visit(form));
      }
    }
  },
);

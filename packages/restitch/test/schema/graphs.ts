/** Random graphs of records: what a server may send, cycles and hostile names included. */
import { Collection, Entity, Union, Values } from 'restitch';
import fc from 'fast-check';

export abstract class Being extends Entity {
  id: string | number = '';
  type: 'person' | 'robot' = 'person';
  at: Date | undefined = undefined;
  friend: Being | null | undefined = undefined;
  friends: readonly Being[] = [];
  members: readonly Being[] = [];
  named: Readonly<Record<string, Being>> = {};
  inside: { readonly deep: { readonly one: Being | null } } | undefined = undefined;
}
export class Person extends Being {
  override type = 'person' as const;
  static override key = 'Person';
  static override schema: Record<string, unknown> = {};
}
export class Robot extends Being {
  override type = 'robot' as const;
  static override key = 'Robot';
  static override schema: Record<string, unknown> = {};
}
export const being = new Union({ person: Person, robot: Robot }, 'type');
/** A union around the union, which holds it in turn. */
const anyone = new Union({ being }, () => 'being');
being.define({ anyone });
const relations = {
  at: Date,
  friend: being,
  friends: [being],
  members: new Collection([being]),
  named: new Values(anyone),
  inside: { deep: { one: anyone } },
};
Person.schema = relations;
Robot.schema = relations;

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a', 'b'];
const IDS: readonly (string | number)[] = [0, 1, '2', ...NAMES];

/** One record of a graph, with others by their place in it. */
interface Spec {
  readonly type: 'person' | 'robot';
  readonly at: string | undefined;
  readonly friend: number | null | undefined;
  readonly friends: readonly number[] | undefined;
  readonly members: readonly number[] | undefined;
  readonly named: Readonly<Record<string, number>> | undefined;
  readonly one: number | null | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A graph: ids, all different, and what each record holds. */
export interface GraphSpec {
  readonly ids: readonly (string | number)[];
  readonly specs: readonly Spec[];
}

const place = fc.nat({ max: 20 });
const spec: fc.Arbitrary<Spec> = fc.record({
  type: fc.constantFrom('person' as const, 'robot' as const),
  at: fc.constantFrom(undefined, '2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
  friend: fc.oneof(fc.constantFrom(null, undefined), place),
  friends: fc.oneof(fc.constant(undefined), fc.array(place, { maxLength: 4 })),
  members: fc.oneof(fc.constant(undefined), fc.uniqueArray(place, { maxLength: 4 })),
  named: fc.oneof(
    fc.constant(undefined),
    fc.dictionary(fc.constantFrom(...NAMES), place, { maxKeys: 3 }),
  ),
  one: fc.oneof(fc.constantFrom(null, undefined), place),
  extra: fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'note', 'valueOf'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  ),
});

export const graphs: fc.Arbitrary<GraphSpec> = fc
  .uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 6, selector: String })
  .chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      specs: fc.array(spec, { minLength: ids.length, maxLength: ids.length }),
    }),
  );

/** A record as a server sends it, with the others as objects: one object stands wherever the record is meant. */
export type Sent = Record<string, unknown>;

function put(target: Sent, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Makes the objects of a graph, afresh each time. */
export function build({ ids, specs }: GraphSpec): readonly Sent[] {
  const sent: Sent[] = ids.map((id) => ({ id }));
  const at = (index: number): Sent => sent[index % sent.length] ?? {};
  const distinct = (indexes: readonly number[]): Sent[] => [...new Set(indexes.map(at))];
  specs.forEach((one, index) => {
    const target = at(index);
    for (const [key, value] of Object.entries(one.extra)) put(target, key, structuredClone(value));
    target['type'] = one.type;
    if (one.at !== undefined) target['at'] = one.at;
    if (one.friend !== undefined) target['friend'] = one.friend === null ? null : at(one.friend);
    if (one.friends) target['friends'] = one.friends.map(at);
    if (one.members) target['members'] = distinct(one.members);
    if (one.named) {
      const named: Sent = {};
      for (const [key, value] of Object.entries(one.named)) put(named, key, at(value));
      target['named'] = named;
    }
    if (one.one !== undefined) {
      target['inside'] = { deep: { one: one.one === null ? null : at(one.one) } };
    }
  });
  return sent;
}

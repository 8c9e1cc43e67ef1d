/** Random programs: few declarations that have much in common, and few steps. */
import fc from 'fast-check';
import { GROUPS, OUTDATING } from './program.js';
import type {
  Asks,
  ClassSpec,
  DerivedChange,
  Ending,
  EndpointSpec,
  ListSpec,
  Nest,
  Outdating,
  Program,
  SpaceNumber,
  SpaceSpec,
  Step,
  Trait,
} from './program.js';

/** How often each kind of declaration and step comes, and what it is like. */
export interface ProgramOptions {
  readonly endpoints: Partial<Record<EndpointSpec['type'], number>>;
  readonly changes?: readonly DerivedChange[];
  readonly steps?: Partial<Record<Step['type'], number>>;
  readonly names?: readonly ClassSpec['name'][];
  /** Classes have explicit keys always, never, or now and then. */
  readonly keys?: 'always' | 'never';
  readonly classes?: number;
  readonly sizes?: readonly ClassSpec['size'][];
  readonly tables?: readonly ClassSpec['table'][];
  readonly partial?: boolean;
  readonly traits?: readonly Trait[];
  /** Records hold rows of another class. */
  readonly owns?: boolean;
  /** Which lists they hold; default: of either kind. */
  readonly nests?: readonly Nest[];
  readonly lists?: Partial<Record<`${ListSpec['container']} ${ListSpec['naming']}`, number>>;
  readonly envelopes?: readonly SpaceSpec['envelope'][];
  readonly maps?: boolean;
  readonly pages?: 'always' | 'never';
  readonly scopes?: 'always' | 'never';
  readonly optimistic?: 'always' | 'never' | 'sometimes';
  readonly asks?: readonly Asks[];
  readonly groups?: 'always' | 'never';
  readonly tenants?: readonly Program['tenants'][];
  readonly binds?: 'always' | 'never';
  readonly prefixes?: readonly (0 | 1)[];
  readonly outdating?: readonly Outdating[];
  /** Endings of requests other than success. */
  readonly endings?: readonly Ending['how'][];
  /** Which forms the responses to mutations have. */
  readonly forms?: readonly number[];
  /** How many endpoints are declared at most, and at least. */
  readonly declarations?: number;
  readonly fewest?: number;
  /** Steps that every program begins with. */
  readonly prelude?: readonly Step[];
  readonly maxLength?: number;
}

const number = fc.nat({ max: 40 });
const space = fc.constantFrom<SpaceNumber>(0, 1, 2);

function flag(fixed: 'always' | 'never' | 'sometimes'): fc.Arbitrary<boolean> {
  return fixed === 'sometimes' ? fc.boolean() : fc.constant(fixed === 'always');
}

/** One of several kinds, each as often as its weight says. */
function weighted<K extends string, T>(
  weights: Partial<Record<K, number>>,
  make: Readonly<Record<K, fc.Arbitrary<T>>>,
): fc.Arbitrary<T> {
  // The cast: the keys of `weights` are those of its type.
  const entries = Object.entries(weights) as [K, number][];
  return fc.oneof(
    ...(entries.map(([key, weight]) => ({ weight, arbitrary: make[key] })) as [
      { weight: number; arbitrary: fc.Arbitrary<T> },
    ]),
  );
}

function classesOf(options: ProgramOptions): fc.Arbitrary<ClassSpec[]> {
  const { names = ['a', 'Row', ''], sizes = [1, 2], tables = [0, 1], keys } = options;
  const one = fc.record<ClassSpec>({
    name: fc.constantFrom(...names),
    hasKey: flag(keys ?? 'sometimes'),
    table: fc.constantFrom(...tables),
    size: fc.constantFrom(...sizes),
    trait: fc.constantFrom(...(options.traits ?? ['plain'])),
    isPartial: options.partial ? fc.boolean() : fc.constant(false),
  });
  if (options.owns) {
    return fc.tuple(one, one).map(([owner, owned]) => [
      { ...owner, table: 0 },
      { ...owned, table: 1 },
    ]);
  }
  return fc.array(one, { minLength: 1, maxLength: options.classes ?? 2 });
}

function spaceOf({
  envelopes = [0],
  maps,
  pages = 'never',
  owns,
}: ProgramOptions): fc.Arbitrary<SpaceSpec> {
  return fc.record<SpaceSpec>({
    envelope: fc.constantFrom(...envelopes),
    isMap: maps ? fc.boolean() : fc.constant(false),
    summary: fc.constantFrom(1, 3),
    detail: fc.constantFrom(3, 3, 2),
    isNesting: owns ? fc.constantFrom(true, true, false) : fc.constant(false),
    isPaged: fc.constant(pages === 'always'),
  });
}

function endpointOf(options: ProgramOptions): fc.Arbitrary<EndpointSpec> {
  const { lists = { 'collection home': 3 }, changes = ['path'], prefixes = [0] } = options;
  const cls = options.owns ? fc.constantFrom(0, 0, 0, 1) : fc.nat({ max: 2 });
  const listOf = (container: ListSpec['container'], naming: ListSpec['naming']) =>
    fc.constant<ListSpec>({ container, naming });
  const list = weighted(lists, {
    'collection home': listOf('collection', 'home'),
    'collection name': listOf('collection', 'name'),
    'collection object': listOf('collection', 'object'),
    'array home': listOf('array', 'home'),
    'array name': listOf('array', 'home'),
    'array object': listOf('array', 'home'),
  });
  const prefix = fc.constantFrom(...prefixes);
  const asks = fc.constantFrom(...(options.asks ?? ['query']));
  const preset = fc.constantFrom(...GROUPS);
  const from = fc.nat({ max: 3 });
  const optional = fc.oneof(fc.constant(undefined), list);
  return weighted<EndpointSpec['type'], EndpointSpec>(options.endpoints, {
    resource: fc.record({
      type: fc.constant('resource'),
      cls,
      space,
      prefix,
      list,
      hasScopes: flag(options.scopes ?? 'never'),
      isOptimistic: flag(options.optimistic ?? 'never'),
    }),
    list: fc.record({ type: fc.constant('list'), asks, preset, cls, space, prefix, list }),
    items: fc.record({
      type: fc.constant('items'),
      cls,
      hasScopes: flag(options.scopes ?? 'never'),
    }),
    search: fc.record({ type: fc.constant('search'), cls, list: optional }),
    value: fc.constant({ type: 'value' }),
    derived: fc.record({
      type: fc.constant('derived'),
      from,
      change: fc.constantFrom(...changes),
      to: cls,
    }),
    bound: fc.record({
      type: fc.constant('bound'),
      from,
      order: fc.constantFrom('bind', 'bind, extend', 'extend, bind'),
      change: fc.constantFrom(...changes),
      to: cls,
    }),
    import: fc.record({ type: fc.constant('import'), from }),
    invalidate: fc.record({ type: fc.constant('invalidate'), cls }),
    function: fc.record({
      type: fc.constant('function'),
      name: fc.constantFrom('load', ''),
      binds: flag(options.binds ?? 'never'),
      first: fc.constantFrom(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22),
      cls,
      list: optional,
    }),
  });
}

const USUAL = { mount: 5, leave: 1, fetch: 1, respond: 6 };

function stepOf({
  steps = {},
  endings = [],
  forms = [0],
  outdating,
}: ProgramOptions): fc.Arbitrary<Step> {
  const how = fc.constantFrom<Ending['how']>('respond', 'respond', 'respond', ...endings);
  const ending = fc.record({ how, isEarly: fc.boolean(), form: fc.constantFrom(...forms) });
  return weighted<Step['type'], Step>(
    { ...USUAL, ...steps },
    {
      mount: fc.record({ type: fc.constant('mount'), question: number, suspends: fc.boolean() }),
      leave: fc.record({ type: fc.constant('leave'), reader: number }),
      fetch: fc.record({ type: fc.constant('fetch'), question: number }),
      page: fc.record({ type: fc.constant('page'), question: number }),
      mutate: fc.record({ type: fc.constant('mutate'), mutation: number, id: number }),
      set: fc.record({ type: fc.constant('set'), cls: number, id: number }),
      add: fc.record({ type: fc.constant('add'), question: number }),
      outdate: fc.record({
        type: fc.constant('outdate'),
        how: fc.constantFrom(...(outdating ?? OUTDATING)),
        question: number,
        id: number,
      }),
      elsewhere: fc.record({
        type: fc.constant('elsewhere'),
        what: fc.constantFrom('edit', 'insert', 'drop', 'delete'),
        pick: number,
      }),
      respond: fc.record({ type: fc.constant('respond'), flight: number, ending }),
      wait: fc.record({ type: fc.constant('wait'), isLong: fc.boolean() }),
      wake: fc.record({ type: fc.constant('wake'), isReconnect: fc.boolean() }),
      sweep: fc.constant({ type: 'sweep' }),
      signOut: fc.record({ type: fc.constant('signOut'), how: fc.constantFrom('reset', 'logout') }),
    },
  );
}

export function programs(options: ProgramOptions): fc.Arbitrary<Program> {
  const one = spaceOf(options);
  const { declarations = 3, fewest = 1, maxLength = 12, prelude = [] } = options;
  const steps = fc.array(stepOf(options), { minLength: 2, maxLength, size: 'max' });
  return fc.record<Program>({
    classes: classesOf(options),
    spaces: fc.tuple(one, one, one),
    endpoints: fc.array(endpointOf(options), { minLength: fewest, maxLength: declarations }),
    nest: options.owns
      ? fc.constantFrom(...(options.nests ?? ['own', 'nestKey']))
      : fc.constant('none'),
    tenants: fc.constantFrom(...(options.tenants ?? ['none'])),
    hasGroups: flag(options.groups ?? 'always'),
    steps: steps.map((random) => [...prelude, ...random]),
  });
}

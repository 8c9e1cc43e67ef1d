/** Endpoints made of functions, asked with arguments that JSON cannot distinguish. */
import { boundFunction } from './bound.js';
import type { Declared } from './classes.js';
import type { Flights } from './flights.js';
import type { Kit } from './kit.js';
import { homeOf, variantOf } from './lists.js';
import type { EndpointSpec } from './program.js';
import { question, show, type Question, type Reads } from './questions.js';
import { PLAIN } from './routes.js';

type FunctionSpec = Extract<EndpointSpec, { readonly type: 'function' }>;

/** Each is a question of its own; neighbors are easily taken for one another. */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [new Map([['a', 1]])],
  [new Map([['a', 2]])],
  [new Set([1])],
  [new Set([2])],
  [Number.NaN],
  [['1']],
  [new Date(0)],
  [new Date(1)],
  [{ from: undefined, to: [Infinity] }],
  [{ to: [null] }],
  ['a', new Date(0)],
  ['a', new Date(1)],
  [null],
  [],
  [{ to: null }],
  ['null'],
  [{}],
  [new URL('http://news.example/a')],
  [new URL('http://news.example/b')],
  ['URL("http://news.example/a")'],
  // Lists take the following pairs for one, as they compare numbers, texts of numbers and dates (contract 7.2).
  [0],
  [-0],
  [new Date(0).toISOString()],
  [new Date(0)],
  [1n],
  [1],
];

/** A list takes this argument for none at all: where a list is shared by its name, it may be asked for either way. */
const NOTHING = show([{}]);

/** How many of them one endpoint is called with. */
const COUNT = 4;

/** The first of them that only values are asked with. */
const UNLISTED = 20;

export function functionQuestions(
  spec: FunctionSpec,
  label: string,
  cls: Declared,
  schema: unknown,
  { kit, flights }: { readonly kit: Kit; readonly flights: Flights },
): readonly Question[] {
  const url = spec.list ? `/t${cls.spec.table}/${label}` : label;
  const wireOf = (args: readonly unknown[]) => ({
    method: 'CALL',
    url,
    body: show(args),
    auth: '',
  });
  const variant = spec.list ? variantOf(cls, spec.list) : '';
  const run = (...args: readonly unknown[]): Promise<unknown> =>
    flights.send(wireOf(args), variant);
  Object.defineProperty(run, 'name', { value: spec.name });
  const endpoint = kit.call(run, { schema });
  const home = spec.list && homeOf(cls, spec.list, PLAIN, label);
  const first = spec.list ? Math.min(spec.first, UNLISTED - COUNT) : spec.first;
  const chosen = ARGUMENTS.slice(first, first + COUNT);
  return chosen.flatMap((args, index) => {
    const reads: Reads = spec.list
      ? {
          type: 'list',
          cls,
          home,
          group: undefined,
          filter: show(args) === NOTHING ? '' : show(args),
          space: PLAIN,
        }
      : { type: 'value', tags: [] };
    const plain = question(label, endpoint, args, wireOf(args), variant, reads);
    if (!spec.binds) return plain;
    const bound = boundFunction(kit, endpoint, args, index);
    const name = `${label} bound to some of ${show(args)}`;
    return [plain, question(name, bound.endpoint, bound.args, wireOf(args), variant, reads)];
  });
}

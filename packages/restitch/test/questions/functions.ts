/** Endpoints made of functions, asked with arguments that JSON cannot tell apart. */
import type { Schema } from 'restitch';
import { call } from './api.js';
import type { Declared } from './classes.js';
import type { Flights } from './flights.js';
import { homeOf, variantOf } from './lists.js';
import type { EndpointSpec } from './program.js';
import { question, show, type AnyEndpoint, type Question, type Reads } from './questions.js';
import { PLAIN } from './routes.js';

type FunctionSpec = Extract<EndpointSpec, { readonly type: 'function' }>;

/** Pairs that are two questions each. */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [new Map([['a', 1]])],
  [new Map([['a', 2]])],
  [new Set([1])],
  [new Set([2])],
  [Number.NaN],
  [null],
  [0],
  [-0],
  [new Date(0)],
  [new Date(0).toISOString()],
  [1n],
  [1],
  [{ from: undefined, to: [Infinity] }],
  [{ to: [null] }],
];

export function functionQuestions(
  spec: FunctionSpec,
  label: string,
  cls: Declared,
  schema: Schema | undefined,
  flights: Flights,
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
  const endpoint = call(run, { schema });
  const home = spec.list && homeOf(cls, spec.list, PLAIN, label);
  return ARGUMENTS.map((args) => {
    const reads: Reads = spec.list
      ? { type: 'list', cls, home, group: undefined, filter: show(args), space: PLAIN }
      : { type: 'value', by: undefined };
    // The cast: a bound endpoint is an endpoint (identity 3.2).
    const asked = spec.binds ? (endpoint.bind(undefined, ...args) as AnyEndpoint) : endpoint;
    return question(label, asked, spec.binds ? [] : args, wireOf(args), variant, reads);
  });
}

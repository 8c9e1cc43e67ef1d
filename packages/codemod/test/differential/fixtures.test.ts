/**
 * Runs every fixture: its input under real axios, its output under restitch. Every function of its module is called, with
 * arguments made from the names and types of the parameters. `fixtures.json` says which fixtures cannot run, and why, and which
 * need other arguments.
 */
import { RestEndpoint } from 'restitch';
import { convertFiles } from 'restitch-codemod';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packagesFor, quiet, withFetchTo } from './clients.js';
import { compile, type SourceFile } from './evaluate.js';
import manifest from './fixtures.json' with { type: 'json' };
import { type Fixture, fixtures as readFixtures } from '../support/fixtures.js';
import { outcomeOf } from './outcome.js';
import { canonical } from './recording.js';
import { stubs } from './stubs.js';
import { newTypeErrors } from './typeCheck.js';
import { startServer, type RecordingServer } from './server.js';
import { argumentsFor, callablesOf, constantsOf, type Callable } from './signatures.js';

interface Special {
  /** Why the fixture cannot run. */
  readonly skip?: string;
  /** Arguments by the name of what is called, instead of those that are made up. */
  readonly arguments?: Readonly<Record<string, readonly unknown[]>>;
}

const specials: Readonly<Record<string, Special>> = manifest;

let server: RecordingServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

type Run = (...args: readonly unknown[]) => unknown;
type New = new (...args: readonly unknown[]) => object;

// The data of a response, or the result of an endpoint; undefined for values without a request.
async function resultOf(value: unknown): Promise<unknown> {
  if (value instanceof RestEndpoint) return value();
  if (!(value instanceof Promise)) return undefined;
  const result: unknown = await value;
  const whole =
    typeof result === 'object' && result !== null && 'data' in result && 'config' in result;
  return whole ? result.data : result;
}

/** The functions and constants of one file of a fixture. */
interface Part {
  readonly path: string;
  readonly callables: readonly Callable[];
  readonly constants: readonly string[];
}

/** The requests of the files: one text for those while they load, and one for each call. */
async function story(
  files: readonly SourceFile[],
  parts: readonly Part[],
  given: Special['arguments'] = {},
): Promise<readonly string[]> {
  const namesOf = ({ callables, constants }: Part): readonly string[] => [
    ...new Set([...callables.map(({ name }) => name), ...constants]),
  ];
  const exposed = Object.fromEntries(parts.map((part) => [part.path, namesOf(part)]));
  const compiled = await compile(files, exposed);
  // The adapter for Node gives no blobs, and that for `fetch` puts a wrong content-type on forms.
  const adapter = files.some(({ source }) => /['"]blob['"]/.test(source)) ? 'fetch' : 'http';
  const packages = { ...stubs, ...packagesFor({ origin: server.origin, adapter }) };
  server.take();
  const all = compiled.run(
    parts.map(({ path }) => path),
    packages,
  );
  const loaded = parts.map((part, index) => ({ ...part, locals: all[index]?.locals ?? {} }));
  const values: string[] = [];
  // A request at module level becomes an endpoint, which sends nothing before it is called.
  for (const { constants, locals } of loaded) {
    for (const name of constants) {
      values.push(`${name} ${await outcomeOf(() => resultOf(locals[name]))}`);
    }
  }
  await quiet();
  const requests = (): readonly string[] => server.take().map(canonical).sort();
  const texts = ['loading', ...requests(), ...values];
  for (const { callables, locals } of loaded) {
    for (const { name, member, kind, parameters, construction = [] } of callables) {
      const owner = locals[name];
      const label = member === undefined ? name : `${name}.${member}`;
      const args = given[label] ?? argumentsFor(parameters);
      const call = (): unknown => {
        if (member === undefined) return (owner as Run)(...args);
        const target =
          kind === 'class' ? new (owner as New)(...argumentsFor(construction)) : (owner as object);
        return (Reflect.get(target, member) as Run).apply(target, [...args]);
      };
      const outcome = await outcomeOf(call);
      await quiet();
      texts.push([`${label}()`, ...requests(), `=> ${outcome}`].join('\n'));
    }
  }
  return texts;
}

// Their scripts are no modules that could be run.
const isComponent = ({ path }: SourceFile): boolean => /\.(vue|svelte)$/.test(path);

// An empty response is '' there and null here, a documented difference.
const emptied = (text: string): string => text.replaceAll('=> gives ""', '=> gives null');

describe('fixtures', () => {
  // Code that is left alone does what it did.
  const isConverted = ({ input, options }: Fixture): boolean =>
    convertFiles(input, options).sites.some(({ status }) => status === 'converted');
  const fixtures = readFixtures().filter(
    (fixture) => !fixture.input.some(isComponent) && isConverted(fixture),
  );
  const known = new Set(fixtures.map(({ name }) => name));

  it('are what the manifest speaks of', () => {
    expect(Object.keys(specials).filter((name) => !known.has(name))).toEqual([]);
  });

  it('type check where their input does', async () => {
    const pairs = fixtures.map(({ input, output }) => ({ before: input, after: output }));
    const errors = await newTypeErrors(pairs);
    expect([...errors].map(([index, text]) => `${fixtures[index]?.name}: ${text}`)).toEqual([]);
  }, 60_000);

  const runnable = fixtures.filter(({ name }) => specials[name]?.skip === undefined);
  it.each(runnable)('$name: sends and gives the same', async ({ name, input, output }) => {
    vi.stubEnv('API_URL', 'https://environment.example.com');
    const parts = input.map((file) => ({
      path: file.path,
      callables: callablesOf(file),
      constants: constantsOf(file),
    }));
    const given = specials[name]?.arguments;
    const original = await story(input, parts, given);
    const converted = await withFetchTo(server.origin, () => story(output, parts, given));
    expect(converted.map(emptied)).toEqual(original.map(emptied));
  });
});

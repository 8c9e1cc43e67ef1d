/** Runs the functions of a program one after the other, and records their requests and results. */
import { packagesFor, quiet, type ClientOptions } from './clients.js';
import { compile, type Loaded, type SourceFile } from './evaluate.js';
import { outcomeOf } from './outcome.js';
import type { InputName, Inputs } from './program.js';
import { canonical } from './recording.js';
import type { RecordingServer } from './server.js';
import type { Entry } from './write.js';

/** The outcome of one call. */
export interface CallRun {
  /** Sorted. No program sends two different requests one after the other. */
  readonly requests: readonly string[];
  readonly outcome: string;
}

export interface ProgramRun {
  /** The requests of the modules while they load, in the order of the text. */
  readonly loading: readonly string[];
  readonly calls: readonly CallRun[];
}

function argument(inputs: Inputs, name: InputName): unknown {
  if (name !== 'signal') return structuredClone(inputs[name]);
  const controller = new AbortController();
  if (inputs.signal === 0) controller.abort();
  return controller.signal;
}

type Run = (...args: readonly unknown[]) => unknown;

// The function that an entry names.
function functionOf(exports: unknown, { kind, name }: Entry): Run {
  const value = Reflect.get(Object(exports), name) as Run & { run: Run } & (new () => { run: Run });
  switch (kind) {
    case 'function':
      return value;
    case 'static':
    case 'object':
      return (...args) => value.run(...args);
    case 'method':
      return (...args) => new value().run(...args);
    case 'promise':
    case 'initializer':
      throw new Error(`${name} is not a function.`);
  }
}

// An initializer is converted to an endpoint, which sends nothing before it is called.
async function initialized(value: unknown): Promise<unknown> {
  if (typeof value === 'function') return (value as Run)();
  const response = (await value) as { data: unknown };
  return response.data;
}

/** Runs a program; `inputs` are those of its calls. */
export async function runProgram(
  files: readonly SourceFile[],
  entries: readonly Entry[],
  inputs: readonly Inputs[],
  server: RecordingServer,
  options: ClientOptions,
): Promise<ProgramRun> {
  const paths = [...new Set(entries.map(({ file }) => file))];
  const initializers = entries.filter(({ kind }) => kind === 'initializer');
  const exposed = paths.map((path) => [
    path,
    initializers.filter(({ file }) => file === path).map(({ name }) => name),
  ]);
  const compiled = await compile(files, Object.fromEntries(exposed));
  server.take();
  const all = compiled.run(paths, packagesFor(options));
  const loadedOf = ({ file }: Entry): Loaded | undefined => all[paths.indexOf(file)];
  const outcomes = new Map<Entry, string>();
  const loaded = entries.flatMap((entry) => {
    if (entry.kind !== 'promise' && entry.kind !== 'initializer') return [];
    const { exports, locals } = loadedOf(entry) ?? {};
    const value =
      entry.kind === 'promise' ? Reflect.get(Object(exports), entry.name) : locals?.[entry.name];
    const waiting = outcomeOf(() => (entry.kind === 'promise' ? value : initialized(value)));
    return [waiting.then((outcome) => outcomes.set(entry, outcome))];
  });
  await Promise.all(loaded);
  await quiet();
  // They were sent at once: their order is the network's.
  const loading = server.take().map(canonical).sort();

  const calls: CallRun[] = [];
  for (const [index, entry] of entries.entries()) {
    const early = outcomes.get(entry);
    const given = inputs[index];
    if (early !== undefined || !given) {
      calls.push({ requests: [], outcome: early ?? '' });
      continue;
    }
    const values = entry.inputs.map((name) => argument(given, name));
    const named = entry.inputs.map((name, at) => [name, values[at]]);
    const args = entry.destructured ? [Object.fromEntries(named)] : values;
    const outcome = await outcomeOf(() => functionOf(loadedOf(entry)?.exports, entry)(...args));
    await quiet();
    // A program that waits for nothing between two requests leaves their order to the network.
    calls.push({ requests: server.take().map(canonical).sort(), outcome });
  }
  return { loading, calls };
}

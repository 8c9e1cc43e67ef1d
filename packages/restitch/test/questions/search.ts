/** Runs random programs of one kind until one fails. */
import fc from 'fast-check';
import { Fault } from './fault.js';
import { programs, type ProgramOptions } from './generators.js';
import type { Program } from './program.js';
import { carryOut } from './steps.js';
import { World } from './world.js';

export interface Search {
  readonly runs: number;
  readonly seed?: number | undefined;
  /** Where in the tree of shrunk programs to begin, as a failure tells it. */
  readonly path?: string | undefined;
}

export interface Found {
  /** How many programs ran, shrunk ones left out. */
  readonly programs: number;
  readonly steps: number;
  /** Undefined where every reader showed what the rules explain. */
  readonly failure: string | undefined;
  readonly code: string | undefined;
}

/** Runs one program; throws a `Fault` that holds it in readable lines. */
export async function run(program: Program): Promise<number> {
  let world: World | undefined;
  try {
    world = new World(program);
    world.check();
    for (const step of program.steps) {
      await carryOut(world, step);
      world.check();
    }
    world.lookAtAll();
    return program.steps.length;
  } catch (error) {
    const code = error instanceof Fault ? error.code : 'threw';
    const reason = error instanceof Fault ? error.message : String(error);
    const told = JSON.stringify({ classes: program.classes, endpoints: program.endpoints });
    throw new Fault(code, `${told}\n${world?.story ?? ''}\n  ✗ ${code}: ${reason}`, {
      cause: error,
    });
  } finally {
    world?.dispose();
  }
}

export async function search(options: ProgramOptions, wanted: Search): Promise<Found> {
  let steps = 0;
  let code: string | undefined;
  const details = await fc.check(
    fc.asyncProperty(programs(options), async (program) => {
      try {
        steps += await run(program);
      } catch (error) {
        const { code: found } = error as Fault;
        // Shrinks the first kind of fault, not another one that a smaller program has.
        code ??= found;
        if (found === code) throw error;
      }
    }),
    {
      numRuns: wanted.runs,
      ...(wanted.seed === undefined ? {} : { seed: wanted.seed }),
      ...(wanted.path === undefined ? {} : { path: wanted.path }),
    },
  );
  const { numRuns } = details;
  if (!details.failed) return { programs: numRuns, steps, failure: undefined, code: undefined };
  const { errorInstance: error, seed, counterexamplePath: path, numShrinks } = details;
  const story = error instanceof Error ? error.message : String(error);
  return {
    programs: numRuns,
    steps,
    code,
    failure:
      `A reader shows what the rules do not explain (program ${numRuns}, shrunk ${numShrinks} times; ` +
      `RESTITCH_MODEL_SEED=${seed} RESTITCH_MODEL_PATH=${path ?? ''}):\n${story}`,
  };
}

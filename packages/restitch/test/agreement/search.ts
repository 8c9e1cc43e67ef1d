/** Runs random programs until one ends with a difference. */
import fc from 'fast-check';
import { type Program, programs } from './program.js';
import { World } from './World.js';

export interface Search {
  readonly runs: number;
  readonly seed?: number | undefined;
  /** Where in the tree of shrunk programs to begin, as a failure reports it. */
  readonly path?: string | undefined;
}

export interface Found {
  readonly programs: number;
  readonly steps: number;
  /** The shrunk program with its differences; undefined if there are none. */
  readonly failure: string | undefined;
}

export async function search({ runs, seed, path }: Search): Promise<Found> {
  let steps = 0;
  const property = fc.asyncProperty(programs, async (program) => {
    await run(program);
    steps += program.steps.length;
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  const { errorInstance: error, counterexamplePath, failed, numRuns } = details;
  const repeat = `RESTITCH_MODEL_SEED=${details.seed} RESTITCH_MODEL_PATH=${counterexamplePath}`;
  const failure = failed ? `${repeat}\n${error instanceof Error ? error.message : ''}` : undefined;
  return { programs: numRuns, steps, failure };
}

/** Throws an error with the program in readable lines if client and server differ at the end. */
async function run(program: Program): Promise<void> {
  const world = new World(program);
  try {
    const differences = await world.run();
    if (differences.length > 0) throw new Error(differences.join('\n'));
  } catch (error) {
    const { steps: _, ...declared } = program;
    const story = [JSON.stringify(declared), ...world.story].join('\n');
    throw new Error(`${story}\n${String(error)}`, { cause: error });
  } finally {
    world.dispose();
  }
}

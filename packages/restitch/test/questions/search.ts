/** Runs random programs of one kind until one fails. */
import fc from 'fast-check';
import { Fault } from './fault.js';
import { programs } from './generators.js';
import { LIBRARY, type Kit } from './kit.js';
import type { Program } from './program.js';
import { carryOut } from './steps.js';
import { VARIANTS } from './variants.js';
import { World } from './world.js';

export interface Search {
  readonly runs: number;
  readonly seed?: number | undefined;
  /** Where in the tree of shrunk programs to begin, as a failure reports it. */
  readonly path?: string | undefined;
  /** Whether a program that fails is made smaller. Default: true. */
  readonly shrinks?: boolean;
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
export async function run(program: Program, kit: Kit = LIBRARY): Promise<number> {
  let world: World | undefined;
  try {
    world = new World(program, kit);
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
    const { steps: _, ...declared } = program;
    const notified = JSON.stringify(declared);
    throw new Fault(code, `${notified}\n${world?.story ?? ''}\n  ✗ ${code}: ${reason}`, {
      cause: error,
    });
  } finally {
    world?.dispose();
  }
}

/** Programs of all kinds, each as often as its share says. */
export const anyProgram: fc.Arbitrary<Program> = fc.oneof(
  ...Object.values(VARIANTS).map(({ share, options }) => ({
    // A small share is still enough for a mistake that only this kind finds.
    weight: Math.max(6, Math.round(share * 100)),
    arbitrary: programs(options),
  })),
);

export async function search(
  from: fc.Arbitrary<Program>,
  wanted: Search,
  kit: Kit = LIBRARY,
): Promise<Found> {
  let steps = 0;
  let code: string | undefined;
  const details = await fc.check(
    fc.asyncProperty(from, async (program) => {
      try {
        steps += await run(program, kit);
      } catch (error) {
        // The cast: `run` throws nothing else.
        const { code: found } = error as Fault;
        // Shrinks the first kind of fault, not another one that a smaller program has.
        code ??= found;
        if (found === code) throw error;
      }
    }),
    {
      numRuns: wanted.runs,
      endOnFailure: wanted.shrinks === false,
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

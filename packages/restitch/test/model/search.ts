/** Runs random programs of one kind until one fails. */
import fc from 'fast-check';
import { NO_COUNTS, sum, type Counts } from './counts.js';
import { programs, type ProgramOptions } from './generators.js';
import type { Mistake } from './follower.js';
import { run } from './interpreter.js';

export interface Search {
  readonly runs: number;
  readonly seed?: number | undefined;
  /** Where in the tree of shrunk programs to begin, as a failure reports it. */
  readonly path?: string | undefined;
  /** False: a failure is reported as it is found. */
  readonly shrinks?: boolean;
}

export interface Found {
  readonly counts: Counts;
  /** How many programs ran, shrunk ones left out. */
  readonly programs: number;
  /** Undefined where the library and the model agree. */
  readonly failure: string | undefined;
}

/** At most this part of all notifications, and of all new objects against them, may report nothing new. Two are always allowed. */
const IN_VAIN_LIMIT = 0.001;

export function mayBeInVain({ notifications }: Counts): number {
  return Math.max(2, notifications * IN_VAIN_LIMIT);
}

/** `follows`: the changes of the feed are compared, too; with a mistake, which the comparison has to find. */
export async function search(
  options: ProgramOptions,
  wanted: Search,
  follows: boolean | (() => Mistake) = false,
): Promise<Found> {
  let counts = NO_COUNTS;
  const details = await fc.check(
    fc.asyncProperty(programs(options), async (program) => {
      counts = sum(counts, await run(program, follows));
    }),
    {
      numRuns: wanted.runs,
      endOnFailure: wanted.shrinks === false,
      ...(wanted.seed === undefined ? {} : { seed: wanted.seed }),
      ...(wanted.path === undefined ? {} : { path: wanted.path }),
    },
  );
  const { numRuns } = details;
  if (!details.failed) return { counts, programs: numRuns, failure: undefined };
  const { errorInstance: error, seed, counterexamplePath: path, numShrinks } = details;
  const story = error instanceof Error ? error.message : String(error);
  return {
    counts,
    programs: numRuns,
    failure:
      `The library and the model disagree (program ${numRuns}, shrunk ${numShrinks} times; ` +
      `RESTITCH_MODEL_SEED=${seed} RESTITCH_MODEL_PATH=${path ?? ''}):\n${story}`,
  };
}

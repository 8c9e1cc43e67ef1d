/** The exact size of retained memory: after everything else was collected. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects everything that is not retained. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The cast: what the flag makes of that name.
  const gc = runInNewContext('gc') as () => void;
  gc();
  gc();
}

/** Bytes of heap that are held. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const ROUNDS = 3;

/**
 * Bytes that each round retains: the least of three. A leak is in each round, but what the engine compiles or caches on the way
 * (up to 2 MB, at a time of its own choice) isn't.
 */
export async function retainedBytes(
  runRound: (round: number) => unknown,
  rounds: number = ROUNDS,
): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = heapUsed();
    await runRound(round);
    least = Math.min(least, heapUsed() - before);
  }
  return least;
}

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

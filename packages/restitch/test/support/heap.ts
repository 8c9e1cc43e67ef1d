/** What is held in memory, told exactly: after everything that is not held has gone. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Lets everything go that nobody holds. */
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

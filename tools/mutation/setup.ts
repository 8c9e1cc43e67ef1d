/** Runs before each file of tests. */
import fc from 'fast-check';
import { beforeEach, inject, vi } from 'vitest';

/** The parts of the thread that are read: the modules that vitest has loaded, and the run before. */
interface Thread {
  readonly __vitest_worker__: {
    readonly evaluatedModules: {
      readonly idToModuleMap: Map<string, object>;
      invalidateModule(module: object): void;
    };
  };
  readonly __stryker__: { activeMutant: unknown };
  lastMutant?: unknown;
}

// The first counterexample kills a mutant; a smaller one is not needed.
fc.configureGlobal({ endOnFailure: true, seed: 1 });

// Loading the library is tested by nothing: see `ignoreStatic`. A test that loads it again would pass for one.
vi.resetModules = () => vi;

// The thread is older than the mutant: nothing that an earlier one left in a module may be seen.
const thread = globalThis as unknown as Thread;
const mutant: unknown = inject('activeMutant' as never);
if (thread.lastMutant !== mutant) {
  const { evaluatedModules } = thread.__vitest_worker__;
  for (const [id, module] of evaluatedModules.idToModuleMap) {
    if (id.includes('/packages/restitch/')) evaluatedModules.invalidateModule(module);
  }
  thread.lastMutant = mutant;
}
// Stryker switches the mutant on before the first test; until then all is as it should be.
thread.__stryker__.activeMutant = undefined;

/** Tests that need much data or wait for the clock of the machine. */
const SLOW = [
  'works in slices of at most five milliseconds, whatever the store holds',
  'deletes 150 000 rows in one response beside an older read',
  'are read whole through a hundred thousand linked records, and changed at their end',
  'notify once of one record that a hundred thousand refer to',
  'is stored by setResponse, and a write to its tail is seen from its head',
  'where a plain field is nested 20 000 deep',
  'stacks on the pending ones before it, whatever the number',
  'are evicted by the next garbage collection, however many there were',
  'costs what the store holds, however its rows are linked and whatever was read last',
];

beforeEach(({ task, skip }) => {
  skip(SLOW.includes(task.name), 'too slow for each mutant');
});

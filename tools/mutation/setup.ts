/** Makes the tests quick where that costs few mutants their death. */
import fc from 'fast-check';
import { beforeEach, vi } from 'vitest';

// The first counterexample kills a mutant; a smaller one tells nobody anything.
fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 100, seed: 1 });

// Loading the library is tested by nothing: see `ignoreStatic`. A test that loads it again would pass for one.
vi.resetModules = () => vi;

/** What needs much data or waits for the clock of the machine. */
const SLOW = [
  'works in slices of at most five milliseconds, whatever the store holds',
  'deletes 150 000 rows in one answer beside an older read',
  'of a hundred thousand linked records are read whole, and changed at their end',
  'of a hundred thousand records to one are told of it once',
  'is stored by setResponse, and a write to its tail is seen from its head',
];

beforeEach(({ task, skip }) => {
  skip(SLOW.includes(task.name), 'too slow for each mutant');
});

import { useState } from 'react';

/** Runs what a click starts. The problem is what went wrong last; the end of a session is none. */
export function useAction(): readonly [
  run: (work: () => Promise<unknown>) => void,
  problem: string,
] {
  const [problem, setProblem] = useState('');
  const run = (work: () => Promise<unknown>): void => {
    setProblem('');
    work().catch((error: Error) => {
      if (error.name !== 'AbortError') setProblem(error.message);
    });
  };
  return [run, problem];
}

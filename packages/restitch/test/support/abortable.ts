import { act } from '@testing-library/react';
import { Endpoint } from 'restitch';

interface Call {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly respond: (value: string) => Promise<void>;
}

let names = 0;

/** An endpoint whose requests reject when they are aborted, as `fetch` does. */
// The return type is what the class infers from its options; naming it would repeat them.
export function abortable(options: { signal?: () => AbortSignal } = {}) {
  const calls: Call[] = [];
  const getText = new Endpoint(
    function (this: { signal?: unknown }, { id }: { id: string }): Promise<string> {
      const signal = (this.signal as () => AbortSignal)();
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        calls.push({ id, signal, respond: (value) => act(async () => resolve(value)) });
      });
    },
    { name: `abortable${(names += 1)}`, ...options },
  );
  const states = (): string[] =>
    calls.map(({ id, signal }) => `${id}${signal.aborted ? ' aborted' : ''}`);
  const respond = (value: string, index = -1): Promise<void> | undefined =>
    calls.at(index)?.respond(value);
  return { getText, calls, states, respond };
}

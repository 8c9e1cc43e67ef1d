/** Callers and readers of a response: callers and readers come and withdraw in any order, while requests succeed, fail and are renewed. */
import fc from 'fast-check';
import { Controller, Endpoint } from 'restitch';
import { expect, it } from 'vitest';

type Step =
  | { readonly do: 'call' | 'read'; readonly cancels: boolean }
  | { readonly do: 'withdraw' | 'respond' | 'fail'; readonly pick: number }
  | { readonly do: 'expire' | 'invalidate' | 'reset' };

const pick = fc.nat(5);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom('call' as const, 'read' as const),
        cancels: fc.boolean(),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('withdraw' as const), pick }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('respond' as const, 'fail' as const), pick }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('expire' as const, 'invalidate' as const, 'reset' as const),
      }),
    },
  ),
  { maxLength: 25, size: 'max' },
);

interface Request {
  readonly value: string;
  readonly signal: AbortSignal;
  isOver: boolean;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

interface Interest {
  readonly abort: AbortController | undefined;
  /** The outcomes that a caller got; readers share one promise. */
  outcome: string | undefined;
  /** The outcomes that it has to get. */
  expected: string | undefined;
  readonly isCaller: boolean;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}

async function run(program: readonly Step[], obeys: boolean): Promise<void> {
  const controller = new Controller();
  const requests: Request[] = [];
  const getText = new Endpoint(
    function (this: { signal?: unknown }): Promise<string> {
      const signal = (this.signal as () => AbortSignal)();
      return new Promise((resolve, reject) => {
        const value = `response ${requests.length}`;
        requests.push({ value, signal, resolve, reject, isOver: false });
        if (obeys) signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    },
    { name: 'getText', errorPolicy: () => 'soft' as const },
  );
  const all: Interest[] = [];
  let waiting: Interest[] = [];
  let count = 0;
  const end = (notified: string): void => {
    for (const interest of waiting) interest.expected = notified;
    waiting = [];
  };
  const callAs = (interest: Interest): void => {
    const { abort } = interest;
    const asked = abort ? getText.extend({ signal: abort.signal }) : getText;
    controller.fetch(asked).then(
      (value) => (interest.outcome = value),
      (error: Error) => (interest.outcome = error.name),
    );
  };
  for (const step of program) {
    const current = waiting.length > 0 ? requests.at(-1) : undefined;
    if (step.do === 'call' || step.do === 'read') {
      const abort = step.cancels ? new AbortController() : undefined;
      const isCaller = step.do === 'call';
      const interest: Interest = { abort, isCaller, outcome: undefined, expected: undefined };
      all.push(interest);
      waiting.push(interest);
      if (isCaller) callAs(interest);
      else
        void controller
          .observe(getText)
          .load(abort?.signal)
          .catch(() => {});
      count += current ? 0 : 1;
    } else if (step.do === 'withdraw') {
      const able = waiting.filter(({ abort }) => abort);
      const interest = able[step.pick % Math.max(able.length, 1)];
      if (interest) {
        interest.expected = 'AbortError';
        waiting = waiting.filter((other) => other !== interest);
        interest.abort?.abort();
      }
    } else if (step.do === 'respond' || step.do === 'fail') {
      const open = requests.filter(({ isOver, signal }) => !isOver && !signal.aborted);
      const request = open[step.pick % Math.max(open.length, 1)];
      if (request) {
        request.isOver = true;
        if (request === current) end(step.do === 'respond' ? request.value : 'Error');
        if (step.do === 'respond') request.resolve(request.value);
        else request.reject(new Error('down'));
      }
    } else if (step.do === 'reset') {
      end('AbortError');
      for (const request of requests) request.isOver ||= request.signal.aborted;
      controller.resetEntireStore();
      expect(requests.every(({ isOver, signal }) => isOver || signal.aborted)).toBe(true);
    } else {
      if (step.do === 'expire') controller.expireAll(getText);
      else void controller.invalidate(getText);
      count += current ? 1 : 0;
    }
    await settle();
    expect(requests).toHaveLength(count);
    const isWanted = waiting.length > 0;
    if (isWanted) expect(requests.at(-1)?.signal.aborted).toBe(false);
    else expect(requests.filter(({ isOver, signal }) => !isOver && !signal.aborted)).toEqual([]);
    for (const { isCaller, outcome, expected } of all) {
      if (isCaller) expect(outcome).toBe(expected);
    }
  }
}

it('a request lives for exactly as long as a caller wants its response, and every caller gets it', async () => {
  await fc.assert(fc.asyncProperty(steps, fc.boolean(), run), { numRuns: 500 });
}, 60_000);

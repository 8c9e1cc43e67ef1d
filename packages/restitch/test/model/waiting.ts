/** Promises that are settled by hand, and the outcomes of their callers. */

export interface Deferred {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Microtasks after which the controller has taken in what a request came to. */
const TURNS = 20;

/** The outcome of a caller once the controller has taken everything in; throws where it still waits then, unless it `mayWait`. */
export async function soon(
  outcome: Promise<Outcome> | undefined,
  mayWait: () => boolean = () => false,
): Promise<Outcome | undefined> {
  let notified: Outcome | undefined;
  void outcome?.then((value) => (notified = value));
  for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
  if (outcome !== undefined && notified === undefined && !mayWait())
    throw new Error('a caller still waits');
  return notified;
}

export function outcomeOf(asked: Promise<unknown>): Promise<Outcome> {
  return asked.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

export function deferred(): Deferred {
  let resolve: (value: unknown) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

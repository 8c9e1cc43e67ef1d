/**
 * The longest delay of a host timer in milliseconds. A timer with a longer delay fires at once:
 * https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value
 */
export const LONGEST_TIMER: number = 2 ** 31 - 1;

interface Timers {
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  // Method syntax accepts the narrower parameter type of `globalThis.clearTimeout`.
  clearTimeout(timer: unknown): void;
}

export function startTimer(
  callback: () => void,
  milliseconds: number,
  host: Timers = globalThis,
): () => void {
  let timer: unknown;
  const wait = (left: number): void => {
    const next = left > LONGEST_TIMER ? () => wait(left - LONGEST_TIMER) : callback;
    timer = host.setTimeout(next, Math.min(left, LONGEST_TIMER));
  };
  if (milliseconds !== Infinity) {
    wait(milliseconds);
  }
  return () => host.clearTimeout(timer);
}

/** Takes what was given after the arguments of an endpoint apart from them. */
export function splitLast(rest: readonly unknown[]): {
  readonly args: readonly unknown[];
  readonly last: unknown;
} {
  return { args: rest.slice(0, -1), last: rest[rest.length - 1] };
}

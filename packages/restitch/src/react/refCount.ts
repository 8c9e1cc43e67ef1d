/**
 * Counts holders in effects, because renders may be repeated or dropped. `left` is called after the
 * last holder released. Each holder calls the returned function, which returns its release
 * function.
 */
export function held(left: () => void): () => () => void {
  let holders = 0;
  return () => {
    holders += 1;
    return () => {
      holders -= 1;
      // Strict Mode releases and retains again before any microtask.
      queueMicrotask(() => {
        if (holders === 0) left();
      });
    };
  };
}

/**
 * Counts holders. An effect calls the returned function, and calls its result at the end. After the
 * last release, `left` is called.
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

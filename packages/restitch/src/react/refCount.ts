/**
 * Returns a function that counts holders. An effect calls the function and returns the result as
 * its cleanup. After the last cleanup, `left` is called.
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

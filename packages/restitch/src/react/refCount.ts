/** Returns an effect that counts its holders. `left` is called after the last cleanup. */
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

/**
 * Counts in effects who holds something, since renders may be repeated or dropped: `left` is called when nobody does any more.
 * What this returns is called by each who holds it, and returns how to let go.
 */
export function held(left: () => void): () => () => void {
  let holders = 0;
  return () => {
    holders += 1;
    return () => {
      holders -= 1;
      // Strict Mode lets go and holds again before any microtask.
      queueMicrotask(() => {
        if (holders === 0) left();
      });
    };
  };
}

import { act } from 'react';

// React reads this flag to decide if it collects updates for `act`.
const host = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };

function setFlag(value: boolean): () => void {
  const before = host.IS_REACT_ACT_ENVIRONMENT;
  host.IS_REACT_ACT_ENVIRONMENT = value;
  return () => {
    host.IS_REACT_ACT_ENVIRONMENT = before;
  };
}

/** Runs `work`. The changes that it made are rendered when this function returns. */
export function actNow(work: () => void): void {
  const restore = setFlag(true);
  try {
    // The braces drop the value of `work`: React warns about a value that is not a promise.
    act(() => {
      work();
    });
  } finally {
    restore();
  }
}

/** Runs `work`. All changes until it settles are rendered when this promise settles. */
export async function actUntil(work: () => Promise<void>): Promise<void> {
  const restore = setFlag(true);
  try {
    await act(work);
  } finally {
    restore();
  }
}

/** Waits for a promise while React renders on its own schedule, as in an application. */
export async function leaveAlone(waiting: Promise<unknown>): Promise<void> {
  const restore = setFlag(false);
  try {
    await waiting;
  } finally {
    restore();
  }
}

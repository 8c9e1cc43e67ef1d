import { act } from 'react';

// While this flag is true, React collects updates for `act`.
const host = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };

function setFlag(value: boolean): () => void {
  const before = host.IS_REACT_ACT_ENVIRONMENT;
  host.IS_REACT_ACT_ENVIRONMENT = value;
  return () => {
    host.IS_REACT_ACT_ENVIRONMENT = before;
  };
}

export function actNow(work: () => void): void {
  const restore = setFlag(true);
  try {
    // React warns about a returned value that is not a promise, so the braces drop it.
    act(() => {
      work();
    });
  } finally {
    restore();
  }
}

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

import { act } from 'react';

// React reads it to know whether updates are to be collected for `act`.
const host = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };

function setFlag(value: boolean): () => void {
  const before = host.IS_REACT_ACT_ENVIRONMENT;
  host.IS_REACT_ACT_ENVIRONMENT = value;
  return () => {
    host.IS_REACT_ACT_ENVIRONMENT = before;
  };
}

/** Runs `work`; what it changed is rendered when this returns. */
export function actNow(work: () => void): void {
  const restore = setFlag(true);
  try {
    // In braces: a value that is no promise would be warned about.
    act(() => {
      work();
    });
  } finally {
    restore();
  }
}

/** Runs `work`; what changed until it settles is rendered when this settles. */
export async function actUntil(work: () => Promise<void>): Promise<void> {
  const restore = setFlag(true);
  try {
    await act(work);
  } finally {
    restore();
  }
}

/** Waits while React renders by itself, as it does for users. */
export async function leaveAlone(waiting: Promise<unknown>): Promise<void> {
  const restore = setFlag(false);
  try {
    await waiting;
  } finally {
    restore();
  }
}

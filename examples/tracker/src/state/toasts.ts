import { createStore } from './createStore.js';

export interface Toast {
  number: number;
  message: string;
}

const SHOWN_FOR = 6_000;
let lastNumber = 0;

export const toasts = createStore<readonly Toast[]>([]);

export function showToast(message: string) {
  const toast = { number: ++lastNumber, message };
  toasts.set([...toasts.get().slice(-3), toast]);
  setTimeout(() => hideToast(toast.number), SHOWN_FOR);
}

export function hideToast(number: number) {
  toasts.set(toasts.get().filter((toast) => toast.number !== number));
}

/**
 * Waits for a change to be answered, and says so when it failed. What was shown in advance goes back by itself: restitch
 * drops it with the request.
 * @returns whether the server agreed
 */
export async function attempt(failure: string, request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    showToast(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

import { createStore } from './createStore.js';

export interface Toast {
  number: number;
  message: string;
  /** Undoes the action that the message names. */
  undo?: () => void;
  /** Called once when the message goes by itself or is dismissed, not when it was undone. */
  onGone?: () => void;
}

const SHOWN_FOR = 6_000;
let lastNumber = 0;
const timers = new Map<number, number>();

export const toasts = createStore<readonly Toast[]>([]);

export function showToast(message: string, more: Pick<Toast, 'undo' | 'onGone'> = {}) {
  const toast = { number: ++lastNumber, message, ...more };
  for (const old of toasts.get().slice(0, -3)) hideToast(old.number);
  toasts.set([...toasts.get(), toast]);
  startTimer(toast.number);
  return toast.number;
}

export function hideToast(number: number) {
  remove(number)?.onGone?.();
}

export function undoToast(number: number) {
  remove(number)?.undo?.();
}

/** Undoes the newest message that can be undone. */
export function undoLast() {
  const toast = toasts.get().findLast(({ undo }) => undo);
  if (toast) undoToast(toast.number);
}

/** Returns true if a message can be undone. */
export const hasUndo = () => toasts.get().some(({ undo }) => undo);

/** Keeps a message while somebody reads it or is about to press its button. */
export function holdToast(number: number) {
  clearTimeout(timers.get(number));
}

export function startTimer(number: number) {
  holdToast(number);
  timers.set(
    number,
    window.setTimeout(() => hideToast(number), SHOWN_FOR),
  );
}

function remove(number: number): Toast | undefined {
  holdToast(number);
  timers.delete(number);
  const toast = toasts.get().find((one) => one.number === number);
  if (toast) toasts.set(toasts.get().filter((one) => one !== toast));
  return toast;
}

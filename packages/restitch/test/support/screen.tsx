import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller } from 'restitch';
import { DataProvider } from 'restitch/react';
import { onTestFinished } from 'vitest';

/** A page in the real browser: React schedules and the browser paints as they do for users (no `act`). */
export interface Screen {
  readonly controller: Controller;
  readonly element: HTMLElement;
  /** What was painted, one entry per frame that differs from the one before. */
  readonly frames: readonly Frame[];
  /** The number of the next frame to be painted. */
  frame(): number;
  /** Waits until `condition` holds in a painted frame. */
  until(condition: (text: string) => boolean): Promise<void>;
}

export interface Frame {
  readonly number: number;
  readonly time: number;
  readonly text: string;
}

/** Renders below a provider, and records the visible text of each frame. */
export function open(children: ReactNode, controller: Controller = new Controller()): Screen {
  const element = document.body.appendChild(document.createElement('main'));
  const root = createRoot(element);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let number = 0;
  let running = true;
  const record = (): void => {
    if (!running) return;
    // In an animation frame the document is what is painted next.
    const text = element.innerText;
    if (frames.at(-1)?.text !== text) frames.push({ number, time: performance.now(), text });
    number += 1;
    for (const check of waiting) check();
    requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
  root.render(<DataProvider controller={controller}>{children}</DataProvider>);
  onTestFinished(() => {
    running = false;
    root.unmount();
    element.remove();
  });
  return {
    controller,
    element,
    frames,
    frame: () => number,
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition(frames.at(-1)?.text ?? '')) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
      }),
  };
}

/** Lets a test call what a component made, such as the setter of its state. */
export function remote<Args extends unknown[]>(): {
  readonly call: (...args: Args) => void;
  readonly connect: (target: (...args: Args) => void) => void;
} {
  let target: ((...args: Args) => void) | undefined;
  return {
    call: (...args) => target?.(...args),
    connect: (next) => {
      target = next;
    },
  };
}

/** Keeps the thread busy, as a component that is costly to render. */
export function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Calls `work` in a click, as users do: React then interrupts what is less urgent. */
export function inClick(work: () => void): void {
  const button = document.createElement('button');
  button.addEventListener('click', work);
  button.click();
}

/** Lets the browser do one other task, also between two slices of a render that React interrupts. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

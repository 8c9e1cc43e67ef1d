import { useEffect, useRef } from 'react';
import { createStore } from './createStore.js';

/** One call of the server: `status` is undefined while it runs, then what came of it. */
export interface CountedRequest {
  number: number;
  method: string;
  url: string;
  status?: string;
  /** How long it took, in milliseconds. */
  duration?: number;
}

const KEPT_REQUESTS = 30;
const nothing = { requests: 0, rowRenders: 0, log: [] as readonly CountedRequest[] };

/** What the page has cost since it was opened or the meter was reset. */
export const meter = createStore(nothing);

let lastNumber = 0;
const counters = new Set<HTMLElement>();

/** Counts a request that starts; call the result with its outcome. */
export function countRequest(method: string, url: string): (status: string) => void {
  const request: CountedRequest = { number: ++lastNumber, method, url };
  const started = performance.now();
  const { requests, log } = meter.get();
  meter.set({
    ...meter.get(),
    requests: requests + 1,
    log: [request, ...log].slice(0, KEPT_REQUESTS),
  });
  return (status) => {
    const settled = { ...request, status, duration: performance.now() - started };
    const current = meter.get();
    const next = current.log.map((entry) => (entry.number === request.number ? settled : entry));
    meter.set({ ...current, log: next });
  };
}

/**
 * Counts each time React renders the calling component, in the element that the returned ref is given to.
 * The number is written past React: showing it must not cause the renders that it counts.
 */
export function useRenderCount() {
  const counter = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = counter.current;
    if (!element) return;
    const isFirst = !counters.has(element);
    counters.add(element);
    const count = Number(element.textContent) + 1;
    element.textContent = String(count);
    element.title = `This row was rendered ${count === 1 ? 'once' : `${count} times`}`;
    if (!isFirst) flash(element);
    meter.set({ ...meter.get(), rowRenders: meter.get().rowRenders + 1 });
  });
  return counter;
}

/** Starts counting anew, in the rows as well. */
export function resetMeter() {
  meter.set(nothing);
  for (const element of counters) {
    if (element.isConnected) element.textContent = '0';
    else counters.delete(element);
  }
}

function flash(element: HTMLElement) {
  const color = 'var(--accent)';
  element.animate(
    [
      { background: color, color: 'white', transform: 'scale(1.25)' },
      { background: color, color: 'white', offset: 0.4 },
      {},
    ],
    {
      duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 900,
      easing: 'ease-out',
    },
  );
}

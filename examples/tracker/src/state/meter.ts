import { useEffect, useRef } from 'react';
import { addCost, costByUrl, noCost, type Cost } from '../compare/cost.js';
import { createStore } from './createStore.js';

/** One call of the server: `status` is undefined while it runs, then what came of it. */
export interface CountedRequest {
  number: number;
  method: string;
  url: string;
  status?: string;
  /** In milliseconds. */
  duration?: number;
}

const KEPT_REQUESTS = 30;
const nothing = { ...noCost, log: [] as readonly CountedRequest[] };

/** The cost of the page since it was opened or the meter was reset. */
export const meter = createStore(nothing);

let lastNumber = 0;
const counters = new Set<HTMLElement>();

/** Counts a request that starts; call the result with its outcome, and the number of bytes of its body. */
export function countRequest(method: string, url: string): (status: string, bytes: number) => void {
  const request: CountedRequest = { number: ++lastNumber, method, url };
  // Changes, and requests for the changes of others, are counted for both: a cache by URL would send them as well.
  const isShared = method !== 'GET' || url.includes('/changes');
  const count = (cost: Partial<Cost>) => {
    const { requests, bytes } = meter.get();
    meter.set({
      ...meter.get(),
      requests: requests + (cost.requests ?? 0),
      bytes: bytes + (cost.bytes ?? 0),
    });
    if (isShared) addCost(cost);
  };
  const started = performance.now();
  count({ requests: 1 });
  meter.set({ ...meter.get(), log: [request, ...meter.get().log].slice(0, KEPT_REQUESTS) });
  return (status, bytes) => {
    const settled = { ...request, status, duration: performance.now() - started };
    count({ bytes });
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
  // Rows come and go while the list is scrolled.
  useEffect(() => {
    const element = counter.current;
    return () => void (element && counters.delete(element));
  }, []);
  return counter;
}

/** Starts counting anew, in the rows as well. */
export function resetMeter() {
  meter.set(nothing);
  costByUrl.set(noCost);
  for (const element of counters) {
    element.textContent = '0';
  }
}

function flash(element: HTMLElement) {
  const color = 'var(--accent-strong)';
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

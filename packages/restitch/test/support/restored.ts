import { afterAll, expect } from 'vitest';

/** What tests replace for a while. The files of a worker share it: one that left it replaced would fail another. */
const read = () => ({
  setTimeout,
  clearTimeout,
  setInterval,
  setImmediate,
  queueMicrotask,
  fetch,
  now: Date.now,
  random: Math.random,
  warn: console.warn,
  error: console.error,
  mode: process.env['NODE_ENV'],
});

const before = Object.entries(read());
afterAll(() => {
  const after = Object.values(read());
  const replaced = before.filter(([, value], index) => value !== after[index]);
  expect(
    replaced.map(([name]) => name),
    'Restore what this file replaced.',
  ).toEqual([]);
});

/** How often guesses that look at the store run: as often as what they look at changes. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from 'restitch';
import { type Flight, Issue, Wire } from './wire.js';

let wire: Wire;
let first: Flight;
let runs = 0;

const increment = (snapshot: Snapshot): { id: string; x: number } => {
  runs += 1;
  return { id: '1', x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 1 };
};

beforeEach(() => {
  wire = new Wire();
  wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
  first = wire.patch('1', increment);
  wire.patch('1', increment);
  wire.patch('1', increment);
  runs = 0;
});

describe('a guess that others build on', () => {
  it('runs none of them again when it is answered as it was guessed', async () => {
    await first.answer({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(3);
    expect(runs).toBe(0);
  });

  it('runs each of them once when it is answered otherwise', async () => {
    await first.answer({ id: '1', x: 5 });
    expect(wire.issue('1')?.x).toBe(7);
    expect(runs).toBe(2);
  });
});

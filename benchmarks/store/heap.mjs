// @ts-check
/** Bytes of heap for each row, its text and its share of a user included. */
import { responseText } from '../workload.mjs';
import { createWorld } from './world.mjs';

const ROWS = 10_000;
/** Code and hidden classes come into being first. */
const WARM = 3;
const FILLS = 3;

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids }) {
  /** @type {Awaited<ReturnType<typeof fill>>[]} */
  const fills = [];
  for (let round = 0; round < WARM + FILLS; round += 1) {
    fills.push(await fill(ids));
  }
  const counted = fills.slice(WARM);
  const parsed = median(counted.map((one) => one.parsed));
  const read = median(counted.map((one) => one.read));
  const unfolded = median(counted.map((one) => one.unfolded));
  return [
    {
      name: 'heap for each row after reading',
      unit: 'B',
      figures: [
        ['JSON.parse', parsed],
        ['read', read],
      ],
      judged: read,
      of: 'read',
      gate: 700,
    },
    {
      name: '… with a response that cannot be folded yet',
      unit: 'B',
      figures: [
        ['read', read],
        ['unfolded', unfolded],
      ],
      judged: unfolded / read,
      of: 'unfolded / folded',
      gate: 2,
    },
  ];
}

/** @param {import('../workload.mjs').Ids} ids */
async function fill(ids) {
  const text = responseText(ROWS, ids);
  const empty = await used();
  /** @type {unknown[]} */
  const parsed = [JSON.parse(text)];
  const bytes = { parsed: (await used()) - empty, read: 0, unfolded: 0 };
  parsed.length = 0;
  const world = createWorld();
  const bare = await used();
  const view = world.controller.observe(world.getIssues);
  view.subscribe(() => view.getSnapshot());
  await world.receive(JSON.parse(text));
  bytes.read = (await used()) - bare;
  world.startRead();
  await world.receive(JSON.parse(responseText(ROWS, ids, 100)));
  bytes.unfolded = (await used()) - bare;
  view.getSnapshot();
  return {
    parsed: bytes.parsed / ROWS,
    read: bytes.read / ROWS,
    unfolded: bytes.unfolded / ROWS,
  };
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Bytes in use after all garbage is collected. */
async function used() {
  for (let round = 0; round < 3; round += 1) {
    // Values that the last turn of the loop still holds are released with it.
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

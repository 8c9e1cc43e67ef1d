/** One library in a process of its own: `node --expose-gc measure.mjs <library> <ids>` writes its figures as JSON. */
import { inTurns, processorTime } from '../store/measure.mjs';
import { issueId, responseText, strided } from '../workload.mjs';

const [library = '', ids] = process.argv.slice(2);
const { createStore } = await import(`./libraries/${library}.mjs`);

/** Each figure is the lower quartile of what is measured in this time, at least five times after the first ones. */
const options = { seconds: 0.5, least: 8 };

/** The response as the library expects it, in GraphQL's form for some. It is made before the clock runs. */
function responseFor(store, count) {
  const parsed = JSON.parse(responseText(count, ids));
  return store.prepare ? store.prepare(parsed) : parsed;
}

async function filled(count) {
  const store = createStore();
  await store.receive(responseFor(store, count));
  return store;
}

/** ms for something long; what `make` gives is made before. */
async function milliseconds(work, make = () => {}) {
  const sample = async () => {
    const made = make();
    return processorTime(() => work(made));
  };
  return (await inTurns({ sample }, options)).sample / 1_000;
}

/** µs for one call of something that may be short: as many at a time as take a few milliseconds. */
async function microseconds(work) {
  await work();
  const before = performance.now();
  await work();
  const count = Math.min(500, Math.max(1, Math.round(3 / (performance.now() - before))));
  const many = async () => {
    for (let index = 0; index < count; index += 1) {
      await work();
    }
  };
  return ((await milliseconds(many)) * 1_000) / count;
}

/** One change of one row, and what the library does in a following microtask. */
function changeOf(store, count, write = store.update) {
  let turn = 0;
  return async () => {
    turn += 1;
    write(issueId(strided(turn, count), ids), `Title number ${turn}`);
    await Promise.resolve();
  };
}

async function heapBytes(count) {
  const before = await used();
  const store = await filled(count);
  const { length } = store.read();
  return ((await used()) - before) / length;
}

/** Bytes in use after all garbage is collected. */
async function used() {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

async function refetch() {
  const store = await filled(1_000);
  store.read();
  let before;
  let after;
  const time = await milliseconds(
    async (response) => {
      before = after;
      await store.receive(response);
      after = store.read();
    },
    () => responseFor(store, 1_000),
  );
  return { time, references: after.filter((row, index) => row !== before[index]).length };
}

async function readers() {
  const store = await filled(1_000);
  if (!store.watchRow) {
    return {};
  }
  let notified = 0;
  for (let index = 0; index < 1_000; index += 1) {
    store.watchRow(issueId(index, ids), () => (notified += 1));
  }
  const change = changeOf(store, 1_000, store.updateWatched);
  const time = await microseconds(change);
  notified = 0;
  await change();
  return { time, notified };
}

/** An optimistic update while others are pending, and the response to the oldest of them. */
async function optimisticUpdates(pending) {
  const store = await filled(1_000);
  if (!store.updateOptimistically) {
    return {};
  }
  store.read();
  let turn = 0;
  const underWay = [];
  const update = () => {
    turn += 1;
    return processorTime(() => {
      underWay.push(store.updateOptimistically(issueId(turn % 1_000, ids), `Title number ${turn}`));
    });
  };
  for (let index = 0; index < pending; index += 1) {
    await update();
  }
  const settle = () => processorTime(underWay.shift());
  return inTurns({ update, settle }, options);
}

// First, while nothing of other stores is left. The code that is loaded with the first row is not counted.
await heapBytes(10);
const heap = await heapBytes(10_000);
const text = responseText(10_000, ids);
const parse = await milliseconds(() => JSON.parse(text));
const first = await milliseconds(
  async ({ store, response }) => {
    await store.receive(response);
    store.read();
  },
  () => {
    const store = createStore();
    return { store, response: responseFor(store, 10_000) };
  },
);
const again = await refetch();
const shown = await filled(10_000);
shown.read();
const warm = await microseconds(() => shown.read());
const change = changeOf(shown, 10_000);
const changed = await microseconds(async () => {
  await change();
  shown.read();
});
const updates = {};
for (const count of [1_000, 10_000, 100_000]) {
  const store = await filled(count);
  updates[`update${count}`] = await microseconds(changeOf(store, count));
}
const watched = await readers();
const alone = await optimisticUpdates(1);
const crowded = await optimisticUpdates(100);
const figures = {
  parse,
  first,
  refetch: again.time,
  references: again.references,
  warm,
  changed,
  ...updates,
  readers: watched.time,
  notified: watched.notified,
  optimistic1: alone.update,
  optimistic100: crowded.update,
  settle1: alone.settle,
  settle100: crowded.settle,
  heap,
};
process.stdout.write(JSON.stringify(figures), () => process.exit());

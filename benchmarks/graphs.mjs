// @ts-check
/**
 * Deep and wide graphs: a chain of linked rows, and one row that all others refer to. What counts is that the time for each row
 * stays the same however many there are: `--check` fails when it grows by more than the gate between the sizes. Runs on the
 * built package: `npm run build` first.
 */
import { Controller, Entity, RestEndpoint } from 'restitch';

const SIZES = [1_000, 10_000, 100_000];
const GATE = 3;
const isCheck = process.argv.includes('--check');

class Row extends Entity {
  id = '';
  name = '';
  /** @type {Row | undefined} */
  next = undefined;
  /** @override */
  static key = 'Row';
  /** @override @type {Record<string, unknown>} */
  static schema = {};
}
Row.schema = { next: Row };

/** A row in a row in a row. @param {number} count */
function chain(count) {
  /** @type {object | undefined} */
  let next;
  for (let index = count - 1; index >= 0; index -= 1) {
    next = { id: `row-${index}`, name: `Row ${index}`, ...(next && { next }) };
  }
  return { response: next, schema: Row, changed: `row-${count - 1}` };
}

/** Rows that all refer to one. @param {number} count */
function hub(count) {
  const response = Array.from({ length: count }, (_, index) => ({
    id: `row-${index}`,
    name: `Row ${index}`,
    next: index === 0 ? { id: 'hub', name: 'The hub' } : 'hub',
  }));
  return { response, schema: [Row], changed: 'hub' };
}

/**
 * Nanoseconds of processor time, that of the garbage collector included: other programs do not count.
 *
 * @param {() => unknown} work
 */
function time(work) {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) * 1000;
}

/** A host whose clock stands still, and in which the program says when there is time to evict rows without readers. */
function openHost() {
  let now = 1_000_000;
  /** @type {(() => void) | undefined} */
  let next;
  let isBetween = true;
  const controller = new Controller({
    environment: {
      now: () => now,
      whenIdle: (callback, milliseconds) => {
        next = callback;
        isBetween = milliseconds > 0;
        return () => {
          next = undefined;
        };
      },
    },
  });
  return {
    controller,
    /** From now on, all that is stored is past its lifetime. */
    age: () => {
      now += 1_000_000_000;
    },
    /** One whole sweep, however many slices it takes. */
    sweep: () => {
      do {
        const slice = next;
        next = undefined;
        slice?.();
      } while (next && !isBetween);
    },
    /** A store that holds nothing waits for no further sweep. */
    isEmpty: () => next === undefined,
  };
}

/**
 * Not the median: in most rounds of a small store the collector does not run at all, and its work is to be counted wherever it
 * is done.
 *
 * @param {number[]} times
 */
const mean = (times) => times.reduce((sum, one) => sum + one, 0) / times.length;

/**
 * For each row, mean of several stores.
 *
 * @param {typeof chain | typeof hub} make
 * @param {number} count
 */
function run(make, count) {
  /** @type {Record<'write' | 'read' | 'update' | 'keep' | 'collect', number[]>} */
  const times = { write: [], read: [], update: [], keep: [], collect: [] };
  const rounds = Math.max(7, Math.round(100_000 / count));
  for (let round = 0; round < rounds; round += 1) {
    const { response, schema, changed } = make(count);
    const { controller, age, sweep, isEmpty } = openHost();
    const get = new RestEndpoint({ path: '/graph', schema });
    times.write.push(time(() => controller.setResponse(get, /** @type {object} */ (response))));
    const view = controller.observe(get);
    times.read.push(time(() => view.getSnapshot()));
    const stop = view.subscribe(() => {});
    times.update.push(
      time(() => {
        controller.set(Row, { id: changed }, { name: `changed ${round}` });
        return view.getSnapshot();
      }),
    );
    age();
    times.keep.push(time(sweep));
    if (controller.get(Row, { id: changed })?.name !== `changed ${round}`) {
      throw new Error('A sweep took what is read.');
    }
    stop();
    times.collect.push(time(sweep));
    if (!isEmpty()) {
      throw new Error('A sweep left rows without readers.');
    }
    controller.dispose();
  }
  /** @param {keyof typeof times} what */
  const perRow = (what) => mean(times[what]) / count;
  const write = perRow('write');
  const read = perRow('read');
  return [
    { name: 'written', nanoseconds: write, gate: GATE },
    { name: 'read for the first time', nanoseconds: read, gate: GATE },
    { name: 'written and read, as by a fetch', nanoseconds: write + read, gate: GATE },
    { name: 'one changes, all that hold it are read', nanoseconds: perRow('update'), gate: GATE },
    { name: 'marked by a sweep, and kept', nanoseconds: perRow('keep'), gate: GATE },
    { name: 'collected by a sweep', nanoseconds: perRow('collect'), gate: GATE },
  ];
}

run(chain, 1_000);
run(hub, 1_000);
console.log(
  `${'ns for each row, mean'.padEnd(46)}${SIZES.map((size) => String(size).padStart(9)).join('')}   ratio`,
);
for (const [name, make] of /** @type {const} */ ([
  ['chain', chain],
  ['hub', hub],
])) {
  const results = SIZES.map((size) => run(make, size));
  for (const [index, { name: what, gate }] of (results[0] ?? []).entries()) {
    const numbers = results.map((result) => result[index]?.nanoseconds ?? 0);
    const ratio = (numbers.at(-1) ?? 0) / (numbers[0] ?? 1);
    const isMissed = gate !== undefined && ratio > gate;
    const cells = numbers.map((number) => number.toFixed(0).padStart(9)).join('');
    const note = gate === undefined ? '' : ` (gate ${gate})${isMissed ? ' MISSED' : ''}`;
    console.log(`${`${name}: ${what}`.padEnd(46)}${cells}${ratio.toFixed(1).padStart(8)}${note}`);
    if (isMissed && isCheck) {
      process.exitCode = 1;
    }
  }
}

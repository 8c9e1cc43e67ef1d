// @ts-check
/**
 * What the store costs. Times are medians of this machine and moment; what counts are the ratios, which are taken in one run.
 * `--check` fails when a gate is missed. Runs on the built package: `npm run build` first.
 */
import { measure } from 'mitata';
import { createWorld, Issue, issueId, responseText } from './workload.mjs';

const SIZES = [1_000, 10_000, 100_000];
const isCheck = process.argv.includes('--check');

/** @param {() => unknown} work */
const median = async (work) => {
  const { p50 } = await measure(work, { min_samples: 200, min_cpu_time: 300e6 });
  return p50 / 1000;
};

/** @type {{ name: string, times: number[], gate?: number }[]} */
const rows = [];

for (const ids of /** @type {const} */ (['string', 'number'])) {
  const update = {
    name: `update one row, ${ids} ids`,
    times: /** @type {number[]} */ ([]),
    gate: 3,
  };
  const shown = {
    name: `… and read it through its list, ${ids} ids`,
    times: /** @type {number[]} */ ([]),
  };
  const again = { name: `read the list again, ${ids} ids`, times: /** @type {number[]} */ ([]) };
  for (const size of SIZES) {
    const world = createWorld();
    await world.receive(responseText(size, ids));
    const view = world.controller.observe(world.getIssues);
    view.getSnapshot();
    let turn = 0;
    const write = () => {
      turn += 1;
      // A stride, so that neighbors in memory are not what is measured.
      const id = issueId((turn * 7919) % size, ids);
      world.controller.set(Issue, { id }, { title: `Title number ${turn}` });
    };
    update.times.push(await median(write));
    shown.times.push(
      await median(() => {
        write();
        return view.getSnapshot();
      }),
    );
    again.times.push(await median(() => view.getSnapshot()));
  }
  rows.push(update, shown, again);
}

console.log(
  `${'µs, median'.padEnd(44)}${SIZES.map((size) => String(size).padStart(10)).join('')}   ratio`,
);
for (const { name, times, gate } of rows) {
  const ratio = (times.at(-1) ?? 0) / (times[0] ?? 1);
  const isMissed = gate !== undefined && ratio > gate;
  const numbers = times.map((time) => time.toFixed(2).padStart(10)).join('');
  const note = gate === undefined ? '' : ` (gate ${gate})${isMissed ? ' MISSED' : ''}`;
  console.log(`${name.padEnd(44)}${numbers}${ratio.toFixed(1).padStart(8)}${note}`);
  if (isMissed && isCheck) {
    process.exitCode = 1;
  }
}

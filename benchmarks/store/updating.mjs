// @ts-check
/** One row among many: its change, and reading what did and did not change. */
import { inTurns, processorTime, repeated } from './measure.mjs';
import { responseText } from '../workload.mjs';
import { createWorld } from './world.mjs';

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const seconds = isShort ? 0.5 : 3;
  const most = isShort ? 30_000 : 100_000;
  const small = await createReader(1_000, ids);
  const middle = await createReader(10_000, ids);
  const large = await createReader(most, ids);
  const array = await createReader(10_000, ids, true);
  const readers = { small, middle, large };
  /** @param {number} count @param {(reader: typeof small) => unknown} work */
  const each = (count, work) =>
    inTurns(
      {
        small: repeated(count, () => work(readers.small)),
        middle: repeated(count, () => work(readers.middle)),
        large: repeated(count, () => work(readers.large)),
      },
      { seconds },
    );
  const again = await each(1_000, ({ view }) => view.getSnapshot());
  const byArguments = await each(100, ({ world }) => world.controller.getResponse(world.getIssues));
  const update = await each(20, (reader) => reader.write());
  const shown = await each(3, (reader) => {
    reader.write();
    return reader.view.getSnapshot();
  });
  const text = responseText(10_000, ids);
  const { parse, plain } = await inTurns(
    {
      parse: () => processorTime(() => JSON.parse(text)),
      plain: repeated(3, () => {
        array.write();
        return array.view.getSnapshot();
      }),
    },
    { seconds },
  );
  /** @param {typeof update} times @returns {Pick<import('./rows.mjs').Row, 'unit' | 'figures'>} */
  const sizes = (times) => ({
    unit: 'µs',
    figures: [
      ['1 000', times.small],
      ['10 000', times.middle],
      [isShort ? '30 000' : '100 000', times.large],
    ],
  });
  const flat = 'largest / smallest';
  return [
    {
      name: 'update one row',
      ...sizes(update),
      judged: update.large / update.small,
      of: flat,
      gate: 3,
    },
    {
      name: 'read the list again, nothing changed',
      ...sizes(again),
      judged: again.large / again.small,
      of: flat,
      gate: 3,
    },
    {
      name: '… found by its endpoint and arguments',
      ...sizes(byArguments),
      judged: byArguments.large / byArguments.small,
      of: flat,
      gate: 3,
    },
    {
      name: 'update one row and read its list',
      ...sizes(shown),
      judged: shown.middle / parse,
      of: 't(10 000) / JSON.parse of the list',
      gate: 0.008,
    },
    {
      name: '… and read it in a plain array',
      unit: 'µs',
      figures: [['10 000', plain]],
      judged: plain / parse,
      of: 't(10 000) / JSON.parse of the list',
      gate: 0.015,
    },
  ];
}

/** @param {number} count @param {import('../workload.mjs').Ids} ids @param {boolean} isArray */
async function createReader(count, ids, isArray = false) {
  const world = createWorld();
  const endpoint = isArray ? world.getArray : world.getIssues;
  await world.receive(JSON.parse(responseText(count, ids)), endpoint);
  const view = world.controller.observe(endpoint);
  view.getSnapshot();
  let turn = 0;
  const write = () => {
    turn += 1;
    world.write(turn, count, ids);
  };
  // So that compiled code is measured, also where the machine has little time to compile it.
  for (let index = 0; index < 3_000; index += 1) {
    write();
  }
  view.getSnapshot();
  return { world, view, write };
}

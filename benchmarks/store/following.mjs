// @ts-check
/** The same writes without and with one listener of the change feed, in turns. */
import { changes } from 'restitch/state';
import { inTurns, ownTime, repeated } from './measure.mjs';
import { responseText } from '../workload.mjs';
import { createWorld } from './world.mjs';

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const seconds = isShort ? 1 : 4;
  const without = await createWriter(10_000, ids, false);
  const listened = await createWriter(10_000, ids, true);
  const one = await inTurns(
    {
      without: repeated(20, without.write),
      listened: repeated(20, listened.write),
    },
    { seconds },
  );
  const again = await inTurns(
    {
      without: () => ownTime(() => without.refetch()),
      listened: () => ownTime(() => listened.refetch()),
    },
    { seconds },
  );
  /** @param {typeof one} times @param {number} unit @returns {[string, number][]} */
  const figures = (times, unit) => [
    ['without', times.without / unit],
    ['with a listener', times.listened / unit],
  ];
  const of = 'with a listener / without';
  return [
    {
      name: 'update one of 10 000 rows, with a listener',
      unit: 'µs',
      figures: figures(one, 1),
      judged: one.listened / one.without,
      of,
      gate: 1.5,
    },
    {
      name: 'refetch 10 000 rows, 1 % changed, with a listener',
      unit: 'ms',
      figures: figures(again, 1_000),
      judged: again.listened / again.without,
      of,
      gate: 1.5,
    },
    {
      name: '… rows reported as changed for an equal refetch',
      figures: [['found', await listened.reportedAgain()]],
      exact: 0,
    },
  ];
}

/** @param {number} count @param {import('../workload.mjs').Ids} ids @param {boolean} hasListener */
async function createWriter(count, ids, hasListener) {
  const world = createWorld();
  const texts = [responseText(count, ids), responseText(count, ids, 1)];
  await world.receive(JSON.parse(texts[0] ?? ''));
  let reported = 0;
  if (hasListener) {
    changes(world.controller, ({ rows }) => {
      reported += rows.length;
    });
  }
  let turn = 0;
  const write = () => {
    turn += 1;
    world.write(turn, count, ids);
  };
  for (let index = 0; index < 3_000; index += 1) {
    write();
  }
  return {
    write,
    refetch: () => {
      turn += 1;
      return world.receive(JSON.parse(texts[turn % 2] ?? ''));
    },
    reportedAgain: async () => {
      await world.receive(JSON.parse(texts[0] ?? ''));
      reported = 0;
      await world.receive(JSON.parse(texts[0] ?? ''));
      return reported;
    },
  };
}

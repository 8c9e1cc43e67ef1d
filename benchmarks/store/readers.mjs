// @ts-check
/** Many readers, each of one row; one row changes. */
import { inTurns, repeated } from './measure.mjs';
import { issueId, responseText, strided } from '../workload.mjs';
import { createWorld, dataOf, Issue } from './world.mjs';

const ROWS = 1_000;

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const few = await createReaders(10, ids);
  const many = await createReaders(ROWS, ids);
  const times = await inTurns(
    { few: repeated(20, few.change), many: repeated(20, many.change) },
    { seconds: isShort ? 1 : 4 },
  );
  const { notified, evaluated } = many.count();
  return [
    {
      name: 'one row changes, many readers of a row each',
      unit: 'µs',
      figures: [
        ['10 readers', times.few],
        ['1 000 readers', times.many],
      ],
      judged: times.many / times.few,
      of: 't(1 000 readers) / t(10)',
      gate: 2,
    },
    { name: '… told of it', figures: [['readers', notified]], exact: 1 },
    { name: '… that show another object', figures: [['readers', evaluated]], exact: 1 },
  ];
}

/** @param {number} count @param {import('../workload.mjs').Ids} ids */
async function createReaders(count, ids) {
  const world = createWorld();
  await world.receive(JSON.parse(responseText(ROWS, ids)));
  let notified = 0;
  const views = Array.from({ length: count }, (_, index) => {
    const view = world.controller.observeQuery(Issue, { id: issueId(index, ids) });
    // As a binding does: who is told reads.
    view.subscribe(() => {
      notified += 1;
      view.getSnapshot();
    });
    view.getSnapshot();
    return view;
  });
  let turn = 0;
  const change = () => {
    turn += 1;
    world.write(turn, count, ids);
  };
  // So that compiled code is measured.
  for (let index = 0; index < 3_000; index += 1) {
    change();
  }
  return {
    change,
    count() {
      const before = views.map((view) => dataOf(view));
      notified = 0;
      change();
      const evaluated = views.filter((view, index) => dataOf(view) !== before[index]);
      return { notified, evaluated: evaluated.length, row: strided(turn, count) };
    },
  };
}

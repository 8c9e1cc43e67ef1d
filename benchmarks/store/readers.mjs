// @ts-check
/** Many readers, each of one row; one row changes. */
import { inTurns, processorTime, repeated } from './measure.mjs';
import { issueId, responseText, strided } from '../workload.mjs';
import { createWorld, dataOf, Issue, User } from './world.mjs';

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
  const shared = await shareOne(10_000, ids, isShort ? 1 : 4);
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
    { name: '… notified', figures: [['readers', notified]], exact: 1 },
    { name: '… that show another object', figures: [['readers', evaluated]], exact: 1 },
    {
      name: 'a row that 10 000 others show changes, list read',
      unit: 'ms',
      figures: [
        ['JSON.parse', shared.parse / 1_000],
        ['write and read', shared.change / 1_000],
      ],
      judged: shared.change / shared.parse,
      of: 'write and read / JSON.parse of the list',
      gate: 1,
    },
  ];
}

/**
 * A list whose rows all show one user, which changes.
 *
 * @param {number} count
 * @param {import('../workload.mjs').Ids} ids
 * @param {number} seconds
 */
async function shareOne(count, ids, seconds) {
  const world = createWorld();
  const text = responseText(count, ids);
  /** @type {{ assignee: object }[]} */
  const parsed = JSON.parse(text);
  await world.receive(parsed.map((row) => ({ ...row, assignee: { id: 'all', name: 'Ada' } })));
  const view = world.controller.observe(world.getIssues);
  view.getSnapshot();
  let turn = 0;
  return inTurns(
    {
      parse: () => processorTime(() => JSON.parse(text)),
      change: () =>
        processorTime(() => {
          turn += 1;
          world.controller.set(User, { id: 'all' }, { name: `Name ${turn}` });
          view.getSnapshot();
        }),
    },
    { seconds },
  );
}

/** @param {number} count @param {import('../workload.mjs').Ids} ids */
async function createReaders(count, ids) {
  const world = createWorld();
  await world.receive(JSON.parse(responseText(ROWS, ids)));
  let notified = 0;
  const views = Array.from({ length: count }, (_, index) => {
    const view = world.controller.observeQuery(Issue, { id: issueId(index, ids) });
    // As a binding does: a notified subscriber reads.
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

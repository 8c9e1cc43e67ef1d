// @ts-check
/** A long list is answered while a read that started before it is still under way. */
import { inTurns, ownTime, trimmedMean } from './measure.mjs';
import { responseText } from '../workload.mjs';
import { createWorld } from './world.mjs';

const ROWS = 10_000;

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const seconds = isShort ? 1.5 : 8;
  const text = responseText(ROWS, ids);
  /** @type {[name: string, before: string | undefined, answer: string][]} */
  const cases = [
    ['10 000 rows, the first time, beside an older read', undefined, text],
    ['… equal to what is stored', text, text],
    ['… one in a hundred changed', text, responseText(ROWS, ids, 1)],
  ];
  /** @type {import('./rows.mjs').Row[]} */
  const rows = [];
  for (const [name, before, answer] of cases) {
    const times = await compare(before, answer, seconds);
    rows.push({
      name,
      unit: 'ms',
      figures: [
        ['alone', times.alone / 1_000],
        ['beside', times.beside / 1_000],
        ['folding', times.folding / 1_000],
      ],
      judged: times.beside / times.alone,
      of: 'beside / alone',
      gate: 3,
    });
  }
  return rows;
}

/** @param {string | undefined} before @param {string} answer @param {number} seconds */
function compare(before, answer, seconds) {
  /** @type {() => Promise<unknown>} */
  let settle = () => Promise.resolve();
  /** @param {boolean} isBeside */
  const write = async (isBeside) => {
    const world = createWorld();
    if (before !== undefined) {
      await world.receive(JSON.parse(before));
    }
    // Somebody reads the list, as on a screen.
    const view = world.controller.observe(world.getIssues);
    view.subscribe(() => {});
    view.getSnapshot();
    if (isBeside) {
      settle = world.startRead();
    }
    const parsed = JSON.parse(answer);
    return ownTime(() => world.receive(parsed));
  };
  return inTurns(
    {
      alone: () => write(false),
      beside: () => write(true),
      folding: () => {
        return ownTime(() => settle());
      },
    },
    { seconds, least: 9, of: trimmedMean },
  );
}

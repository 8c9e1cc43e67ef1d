// @ts-check
/** The response of a long list, while an older read is still pending. */
import { inTurns, ownTime, trimmedMean } from './measure.mjs';
import { responseText } from '../workload.mjs';
import { createWorld } from './world.mjs';

const ROWS = 10_000;

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const seconds = isShort ? 1.5 : 8;
  const text = responseText(ROWS, ids);
  /** @type {[name: string, before: string | undefined, response: string][]} */
  const cases = [
    ['10 000 rows, the first time, during an older read', undefined, text],
    ['… equal to what is stored', text, text],
    ['… one in a hundred changed', text, responseText(ROWS, ids, 1)],
  ];
  /** @type {import('./rows.mjs').Row[]} */
  const rows = [];
  for (const [name, before, response] of cases) {
    const times = await compare(before, response, seconds);
    rows.push({
      name,
      unit: 'ms',
      figures: [
        ['alone', times.alone / 1_000],
        ['during', times.during / 1_000],
        ['folding', times.folding / 1_000],
      ],
      judged: times.during / times.alone,
      of: 'during / alone',
      gate: 3,
    });
  }
  return rows;
}

/** @param {string | undefined} before @param {string} response @param {number} seconds */
function compare(before, response, seconds) {
  /** @type {() => Promise<unknown>} */
  let settle = () => Promise.resolve();
  /** @param {boolean} isDuring */
  const write = async (isDuring) => {
    const world = createWorld();
    if (before !== undefined) {
      await world.receive(JSON.parse(before));
    }
    // The list has a reader, as on a screen.
    const view = world.controller.observe(world.getIssues);
    view.subscribe(() => {});
    view.getSnapshot();
    if (isDuring) {
      settle = world.startRead();
    }
    const parsed = JSON.parse(response);
    return ownTime(() => world.receive(parsed));
  };
  return inTurns(
    {
      alone: () => write(false),
      during: () => write(true),
      folding: () => {
        return ownTime(() => settle());
      },
    },
    { seconds, least: 9, of: trimmedMean },
  );
}

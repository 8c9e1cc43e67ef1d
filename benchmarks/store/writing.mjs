// @ts-check
/** A whole response: the first one, and one that is equal to the stored data. */
import { inTurns, lowerQuartile, ownTime, processorTime, trimmedMean } from './measure.mjs';
import { responseText } from '../workload.mjs';
import { createWorld, dataOf } from './world.mjs';

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  const seconds = isShort ? 1.5 : 6;
  const small = await firstTimes(1_000, ids, seconds);
  const large = await firstTimes(10_000, ids, seconds);
  const again = await refetch(1_000, ids, seconds);
  return [
    {
      name: 'first write alone, 1 000 rows',
      unit: 'ms',
      figures: [
        ['JSON.parse', small.parse / 1_000],
        ['write', small.write / 1_000],
      ],
      judged: small.write / small.parse,
      of: 'write / JSON.parse of the same text',
      gate: 0.6,
    },
    {
      name: 'first write and first read, 10 000 rows',
      unit: 'ms',
      figures: [
        ['JSON.parse', large.parse / 1_000],
        ['write', large.write / 1_000],
        ['write and read', large.both / 1_000],
      ],
      judged: large.both / large.parse,
      of: 'write and read / JSON.parse of the same text',
      gate: 1.5,
    },
    {
      name: 'equal refetch of 1 000 rows, then read',
      unit: 'ms',
      figures: [
        ['JSON.parse', again.parse / 1_000],
        ['write and read', again.both / 1_000],
      ],
      judged: again.both / again.parse,
      of: 'write and read / JSON.parse of the same text',
      gate: 2,
    },
    { name: '… new references', figures: [['found', again.references]], exact: 0 },
    { name: '… notifications', figures: [['found', again.notifications]], exact: 0 },
  ];
}

/**
 * Responses in which every row is new. Without a reader or a caller, a response is only written.
 *
 * @param {number} count
 * @param {import('../workload.mjs').Ids} ids
 * @param {number} seconds
 */
function firstTimes(count, ids, seconds) {
  const text = responseText(count, ids);
  // Small responses are measured several at a time.
  const many = Array.from({ length: Math.max(1, 5_000 / count) });
  /** @type {unknown[]} */
  let parsed = [];
  const fresh = () => many.map((_, index) => ({ world: createWorld(), response: parsed[index] }));
  /** @param {() => unknown} work */
  const each = async (work) => (await ownTime(work)) / many.length;
  const parse = () =>
    each(() => {
      parsed = many.map(() => JSON.parse(text));
    });
  return inTurns(
    {
      parse,
      both: () => {
        const worlds = fresh();
        return each(async () => {
          for (const { world, response } of worlds) {
            await world.receive(response);
          }
        });
      },
      parseAgain: parse,
      write: () => {
        const worlds = fresh();
        return each(() => {
          for (const { world, response } of worlds) {
            world.controller.setResponse(world.getIssues, /** @type {unknown[]} */ (response));
          }
        });
      },
    },
    { seconds, of: count < 10_000 ? lowerQuartile : trimmedMean },
  );
}

/**
 * A response that is equal to the stored one, while the list has a reader.
 *
 * @param {number} count
 * @param {import('../workload.mjs').Ids} ids
 * @param {number} seconds
 */
async function refetch(count, ids, seconds) {
  const text = responseText(count, ids);
  const world = createWorld();
  await world.receive(JSON.parse(text));
  const view = world.controller.observe(world.getIssues);
  const before = shown(view);
  let notifications = 0;
  view.subscribe(() => (notifications += 1));
  /** @type {unknown} */
  let parsed;
  const times = await inTurns(
    {
      parse: () =>
        processorTime(() => {
          parsed = JSON.parse(text);
        }),
      both: () =>
        processorTime(async () => {
          await world.receive(parsed);
          view.getSnapshot();
        }),
    },
    { seconds },
  );
  const references = shown(view).filter((part, index) => part !== before[index]).length;
  return { ...times, references, notifications };
}

/**
 * The list and everything in it.
 *
 * @param {import('restitch').View<import('./world.mjs').Issue[]>} view
 * @returns {unknown[]}
 */
function shown(view) {
  const data = dataOf(view) ?? [];
  return [data, ...data, ...data.map(({ assignee }) => assignee)];
}

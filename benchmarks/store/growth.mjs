// @ts-check
/** Pending mutations of one list or record, and rows of one mutation: how the time grows if there are four times as many. */
import { inTurns, ownTime } from './measure.mjs';
import { Invalidate, RestEndpoint } from 'restitch';
import { issueId, responseText } from '../workload.mjs';
import { createWorld, dataOf, Issue } from './world.mjs';

/** @typedef {import('../workload.mjs').Ids} Ids */

/**
 * The number of mutations or rows that is compared with four times as many, one sample of the time in µs, and the gate. 4 is
 * linear and 16 quadratic. Each response to a create copies the list and reads the pending creates, up to some hundred.
 */
const CASES = /** @type {const} */ ([
  ['creates in one list: applied', 50, costOfApplying, 14],
  ['… confirmed', 50, costOfConfirming, 14],
  ['… every second one fails', 50, costOfFailing, 14],
  ['deletes of one list of 2 000', 100, costOfDeletes, 8],
  ['edits of one record that the server changes', 100, costOfEdits, 8],
  ['a bulk create', 1_000, costOfBulkCreate, 8, 'rows'],
  ['… optimistic', 1_000, costOfOptimisticBulkCreate, 8, 'rows'],
]);

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  /** @type {import('./rows.mjs').Row[]} */
  const rows = [];
  for (const [name, count, costOf, gate, of = 'pending'] of CASES) {
    const times = await inTurns(
      { few: () => costOf(count, ids), many: () => costOf(count * 4, ids) },
      { seconds: isShort ? 1.5 : 8, least: 9 },
    );
    rows.push({
      name,
      unit: 'ms',
      figures: [
        [`${digits(count)} ${of}`, times.few / 1_000],
        [`${digits(count * 4)} ${of}`, times.many / 1_000],
      ],
      judged: times.many / times.few,
      of: 't(4 n) / t(n)',
      gate,
    });
  }
  return rows;
}

/** With a space, as in the other suites. @param {number} count */
function digits(count) {
  return String(count).replace(/(?=\d{3}$)(?<=\d)/, ' ');
}

/** A list with a number of rows; no reader copies it for each mutation. @param {number} length @param {Ids} ids */
async function createList(length, ids) {
  const world = createWorld();
  await world.receive(JSON.parse(responseText(length, ids)));
  return { ...world, view: world.controller.observe(world.getIssues) };
}

/** Requests that are settled by hand. */
function createRequests() {
  /** @type {{ resolve: (body: unknown) => void, reject: (error: Error) => void }[]} */
  const sent = [];
  return {
    sent,
    fetch: () => new Promise((resolve, reject) => sent.push({ resolve, reject })),
  };
}

/** A list with a number of pending creates. @param {number} count @param {Ids} ids */
async function createPending(count, ids) {
  const { controller, getIssues, view } = await createList(1, ids);
  const { sent, fetch } = createRequests();
  const create = getIssues.push.extend({
    fetch,
    getOptimisticResponse: (_snapshot, body) => body,
  });
  /** @type {Promise<unknown>[]} */
  const results = [];
  const start = () => {
    for (let index = 0; index < count; index += 1) {
      results.push(controller.fetch(create, { title: `Title number ${index}`, status: 'open' }));
    }
  };
  return { view, sent, start, settled: () => Promise.allSettled(results) };
}

/** @param {number} count @param {Ids} ids */
async function costOfApplying(count, ids) {
  const { sent, start, settled } = await createPending(count, ids);
  const time = await ownTime(start);
  for (const { reject } of sent) {
    reject(new Error('The sample has ended.'));
  }
  await settled();
  return time;
}

/** @param {number} count @param {Ids} ids */
function costOfConfirming(count, ids) {
  return costOfSettling(count, ids, () => false);
}

/** @param {number} count @param {Ids} ids */
function costOfFailing(count, ids) {
  return costOfSettling(count, ids, (index) => index % 2 === 1);
}

/** @param {number} count @param {Ids} ids @param {(index: number) => boolean} isFailing */
async function costOfSettling(count, ids, isFailing) {
  const { view, sent, start, settled } = await createPending(count, ids);
  start();
  const time = await ownTime(() => {
    for (const [index, { resolve, reject }] of sent.entries()) {
      if (isFailing(index)) {
        reject(new Error('The server refuses.'));
      } else {
        resolve({ id: `created-${index}`, title: `Title number ${index}`, status: 'open' });
      }
    }
    return settled();
  });
  const kept = sent.filter((_, index) => !isFailing(index)).length;
  expectLength(view, 1 + kept);
  return time;
}

/** @param {number} count @param {Ids} ids */
async function costOfDeletes(count, ids) {
  const { controller, getIssue, view } = await createList(2_000, ids);
  const { sent, fetch } = createRequests();
  const remove = new RestEndpoint({
    path: getIssue.path,
    method: 'DELETE',
    schema: new Invalidate(Issue),
    fetch,
    getOptimisticResponse: (_snapshot, params) => params,
  });
  const time = await ownTime(() => {
    const results = Array.from({ length: count }, (_, index) =>
      controller.fetch(remove, { id: issueId(index, ids) }),
    );
    for (const [index, { resolve }] of sent.entries()) {
      resolve({ id: issueId(index, ids) });
    }
    return Promise.all(results);
  });
  expectLength(view, 2_000 - count);
  return time;
}

/** @param {number} count @param {Ids} ids */
async function costOfEdits(count, ids) {
  const { controller, getIssue } = createWorld();
  const { sent, fetch } = createRequests();
  const id = issueId(7, ids);
  controller.set(Issue, { id }, { id, title: '' });
  controller.observeQuery(Issue, { id }).subscribe(() => {});
  const edit = new RestEndpoint({
    path: getIssue.path,
    method: 'PATCH',
    schema: Issue,
    fetch,
    getOptimisticResponse: (_snapshot, params, body) => ({ ...params, ...body }),
  });
  const results = Array.from({ length: count }, (_, index) =>
    controller.fetch(edit, { id }, { title: `Title number ${index}` }),
  );
  return ownTime(() => {
    for (const [index, { resolve }] of sent.entries()) {
      resolve({ id, title: `Title number ${index}`, priority: index });
    }
    return Promise.all(results);
  });
}

/** @param {number} count @param {Ids} ids */
function costOfBulkCreate(count, ids) {
  return costOfRows(count, ids, {});
}

/** @param {number} count @param {Ids} ids */
function costOfOptimisticBulkCreate(count, ids) {
  /** @type {(snapshot: unknown, bodies: unknown) => unknown} */
  const getOptimisticResponse = (_snapshot, bodies) => bodies;
  return costOfRows(count, ids, { getOptimisticResponse });
}

/** @param {number} count @param {Ids} ids @param {object} options */
async function costOfRows(count, ids, options) {
  const { controller, getIssues, view } = await createList(1, ids);
  const titles = Array.from({ length: count }, (_, index) => `Title number ${index}`);
  const bodies = titles.map((title) => ({ title, status: 'open' }));
  const created = bodies.map((body, index) => ({ id: `created-${index}`, ...body }));
  const create = getIssues.push.extend({ ...options, fetch: async () => created });
  const time = await ownTime(() => controller.fetch(create, bodies));
  expectLength(view, 1 + count);
  return time;
}

/** A mistake would be measured as a gain. @param {import('restitch').View<readonly unknown[]>} view @param {number} length */
function expectLength(view, length) {
  const found = dataOf(view)?.length;
  if (found !== length) {
    throw new Error(`The list has ${found} rows instead of ${length}.`);
  }
}

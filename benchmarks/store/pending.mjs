// @ts-check
/** Optimistic mutations: the cost of applying and settling one while others are pending. */
import { inTurns, processorTime, repeated } from './measure.mjs';
import { RestEndpoint } from 'restitch';
import { issueId, responseText } from '../workload.mjs';
import { createWorld, Issue } from './world.mjs';

const ROWS = 1_000;

/** The optimistic updates. */
const KINDS = /** @type {const} */ ([
  ['a row each is updated', 'update'],
  ['a row each is created', 'create'],
  ['one row counts up', 'count'],
  ['one row is edited', 'edit'],
]);

/** @param {import('./rows.mjs').Options} options @returns {Promise<import('./rows.mjs').Row[]>} */
export async function measure({ ids, isShort }) {
  /** @type {import('./rows.mjs').Row[]} */
  const rows = [];
  for (const [name, kind] of KINDS) {
    const few = await createPending(1, kind, ids);
    const many = await createPending(100, kind, ids);
    const times = await inTurns(
      {
        few: few.add,
        many: many.add,
        fewSettle: few.settle,
        manySettle: many.settle,
        fewWrite: few.write,
        manyWrite: many.write,
      },
      { seconds: isShort ? 0.8 : 4, least: 100 },
    );
    rows.push(row(`optimistic, ${name}: applied`, times.few, times.many));
    rows.push(row('… another row is written', times.fewWrite, times.manyWrite));
    if (kind === 'edit') {
      // The others are joined anew when one settles.
      continue;
    }
    rows.push(
      kind === 'count'
        ? row(
            '… the oldest settled, for each that runs again',
            times.fewSettle,
            times.manySettle / 100,
          )
        : row('… the oldest settled', times.fewSettle, times.manySettle),
    );
  }
  return rows;
}

/**
 * @param {string} name
 * @param {number} few
 * @param {number} many
 * @returns {import('./rows.mjs').Row}
 */
function row(name, few, many) {
  return {
    name,
    unit: 'µs',
    figures: [
      ['1 pending', few],
      ['100 pending', many],
    ],
    judged: many / few,
    of: 't(100 pending) / t(1)',
    gate: 2,
  };
}

/**
 * A world with a number of pending mutations; one more comes and goes.
 *
 * @param {number} pending
 * @param {'update' | 'create' | 'count' | 'edit'} kind
 * @param {import('../workload.mjs').Ids} ids
 */
async function createPending(pending, kind, ids) {
  const world = createWorld();
  const { controller, getIssues } = world;
  await world.receive(JSON.parse(responseText(ROWS, ids)));
  const view = controller.observe(getIssues);
  view.subscribe(() => view.getSnapshot());
  view.getSnapshot();
  /** @type {(body: unknown) => void} */
  let respond = () => {};
  /** @type {Promise<unknown>} */
  let settled = Promise.resolve();
  const fetch = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  const update = new RestEndpoint({
    path: '/issues/:id',
    method: 'PATCH',
    schema: Issue,
    fetch,
    getOptimisticResponse: (_snapshot, { id }, body) => ({ id, ...body }),
  });
  const create = getIssues.push.extend({
    fetch,
    getOptimisticResponse: (_snapshot, body) => body,
  });
  const count = new RestEndpoint({
    path: '/issues/:id',
    method: 'POST',
    schema: Issue,
    fetch,
    getOptimisticResponse: (snapshot, { id }) => ({
      id,
      priority: (snapshot.get(Issue, { id })?.priority ?? 0) + 1,
    }),
  });
  let turn = 0;
  const start = () => {
    turn += 1;
    const id = issueId(turn % ROWS, ids);
    if (kind === 'update') {
      return controller.fetch(update, { id }, { title: `Title number ${turn}` });
    }
    if (kind === 'edit') {
      return controller.fetch(update, { id: issueId(7, ids) }, { title: `Title number ${turn}` });
    }
    return kind === 'create'
      ? controller.fetch(create, { title: `Title number ${turn}`, status: 'open' })
      : controller.fetch(count, { id: issueId(7, ids) });
  };
  /** @type {{ respond: (body: unknown) => void, settled: Promise<unknown>, body: object }[]} */
  const underWay = [];
  const add = async () => {
    const time = await processorTime(() => {
      settled = start();
    });
    const named = kind === 'count' || kind === 'edit' ? issueId(7, ids) : issueId(turn % ROWS, ids);
    const id = kind === 'create' ? `created-${turn}` : named;
    const body = { id, title: `Title number ${turn}`, status: 'open', priority: turn };
    underWay.push({ respond, settled, body });
    return time;
  };
  for (let index = 0; index < pending; index += 1) {
    await add();
  }
  return {
    add,
    /** Writes a row that no pending mutation concerns. */
    write: repeated(20, () => {
      turn += 1;
      controller.set(Issue, { id: 'other' }, { title: `Title number ${turn}` });
    }),
    settle: () => {
      const request = underWay.shift();
      return processorTime(() => {
        request?.respond(request.body);
        return request?.settled;
      });
    },
  };
}

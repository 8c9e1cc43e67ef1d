/** Runs one file before and after its conversion, and compares what happens. */
import { runInThisContext } from 'node:vm';
import { argumentsFor, parametersOf } from './arguments.mjs';
import { attempt, entriesOf } from './entries.mjs';
import { setGlobals } from './sandbox.mjs';
import { show, World } from './world.mjs';

const BODY = (code) =>
  JSON.stringify({
    code,
    errno: code,
    status: 'success',
    success: true,
    message: 'a message',
    token: 't-1',
    id: 5,
    name: 'Ada',
    data: { id: 6, name: 'Eve', total: 2, list: [{ id: 1 }], token: 't-2' },
    items: [{ id: 1 }],
    results: [{ id: 2 }],
  });

/** Responses of servers. Wrappers expect a code of 200 or of 0. */
export const SCENARIOS = [
  { name: '200', status: 200, body: BODY(200) },
  { name: '200 with code 0', status: 200, body: BODY(0) },
  { name: '204', status: 204, body: '' },
  {
    name: '422',
    status: 422,
    body: JSON.stringify({
      code: 422,
      message: 'refused',
      msg: 'refused',
      errors: [{ msg: 'one' }],
      error: 'refused',
    }),
  },
  { name: 'lost', status: 0, body: '' },
];

const real = { setTimeout, setImmediate, clearTimeout };
const turn = () => new Promise((resolve) => real.setImmediate(resolve));

/** Lets everything run that waits for nothing from outside. */
async function settle(world) {
  for (let round = 0; ; round += 1) {
    for (let count = 0; count < 12; count += 1) await turn();
    // Polling code has sent enough requests, and has all their responses.
    if (round === 3) return;
    const due = world.timers.splice(0).filter(({ run }) => typeof run === 'function');
    if (due.length === 0) return;
    for (const { run, args } of due.slice(0, 20)) {
      try {
        run(...args);
      } catch (error) {
        world.note('timer failed', [error]);
      }
    }
  }
}

const isGenerator = (value) => Object.prototype.toString.call(value) === '[object Generator]';

// As a saga is: what it waits for is given back.
async function drive(generator) {
  let step = generator.next();
  for (let count = 0; !step.done && count < 30; count += 1) {
    try {
      const { value } = step;
      step = generator.next(await value);
    } catch (error) {
      step = generator.throw(error);
    }
  }
  return step.value;
}

/** Runs the file once: what each function did, by name. */
async function runOnce(code, scenario, known, isOriginal) {
  const world = new World(scenario);
  const state = {};
  setGlobals(world, state);
  const runs = new Map();
  const take = (key, outcome) => {
    const run = {
      key,
      outcome,
      requests: world.requests,
      fetched: world.fetched,
      notes: world.notes,
      hits: [...world.hits],
    };
    world.requests = [];
    world.fetched = [];
    world.notes = [];
    world.hits = new Set();
    runs.set(key, run);
  };
  let failure;
  try {
    runInThisContext(code);
  } catch (error) {
    failure = error;
  }
  await settle(world);
  if (failure) world.isOver = true;
  take('the module itself', failure ? `failed: ${failure.name}: ${failure.message}` : 'ran');
  if (failure) return runs;
  const counts = new Map();
  const call = async (key, run, self) => {
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    const name = times === 1 ? key : `${key} (${times})`;
    if (isOriginal) {
      if (!known.has(name)) known.set(name, parametersOf(run));
    } else if (!known.has(name)) return;
    const before = world.waiting.length;
    let outcome = 'pending';
    try {
      const made = run.apply(self, argumentsFor(known.get(name), world));
      const value = isGenerator(made) ? drive(made) : made;
      Promise.resolve(value).then(
        (result) => (outcome = `gave ${show(result)}`),
        (error) => (outcome = `failed ${show(error)}`),
      );
      world.collect(`${key} returned`, value);
    } catch (error) {
      outcome = `threw ${show(error)}`;
    }
    await settle(world);
    take(name, outcome);
    return before;
  };
  const drain = async (from) => {
    for (let done = 0; world.waiting.length > 0 && done < 60; done += 1) {
      const next = world.waiting.shift();
      await call(`${from} > ${next.key}`, next.run, undefined);
    }
    world.waiting.length = 0;
  };
  await drain('the module itself');
  const mine = (run) => Function.prototype.toString.call(run).includes('__site(');
  for (const [key, { run, self }] of entriesOf(state, world)) {
    if (isOriginal ? !mine(run) : !known.has(key)) continue;
    await call(
      key,
      run,
      attempt(() => self?.()),
    );
    await drain(key);
  }
  world.isOver = true;
  await settle(world);
  return runs;
}

/** A method of a component that was called without it: no converted code needs it. */
const NO_OWNER =
  /Cannot read properties of undefined \(reading '(get|post|put|patch|delete|head|request)'\)/;

/** A path without one of its values is an error of the endpoint; axios sends `undefined`. */
const MISSING = /path parameter `[^`]*` of `[^`]*` is missing/;

/** Differences of a file, and the sites that were run. */
export async function compare(before, after) {
  const replayed = new Set();
  const hit = new Set();
  const differences = [];
  const wrong = new Set();
  const documented = new Set();
  const foreign = new Set();
  for (const scenario of SCENARIOS) {
    const known = new Map();
    const stopped = new Set();
    const old = await runOnce(before, scenario, known, true);
    const fresh = await runOnce(after, scenario, known, false);
    for (const [key, one] of old) {
      for (const site of one.hits) hit.add(site);
      const other = fresh.get(key);
      if (one.requests.length > 0 && one.hits.length > 0)
        for (const site of one.hits) replayed.add(site);
      const wanted = { requests: one.requests, outcome: one.outcome, notes: one.notes };
      const got = other && { requests: other.requests, outcome: other.outcome, notes: other.notes };
      const isFetch = got?.requests.some((request) => request.startsWith('fetch ')) ?? false;
      if (isFetch && JSON.stringify(got.requests) === JSON.stringify(one.fetched))
        wanted.requests = got.requests;
      if (isFetch)
        // The error of a request that needs axios no more is another one; where it is only printed, that is all.
        for (const part of [wanted, got])
          part.notes = part.notes.filter((note) => !note.startsWith('console.'));
      if (JSON.stringify(wanted) === JSON.stringify(got)) continue;
      if (one.hits.length === 0 && one.requests.length === 0 && key !== 'the module itself')
        continue;
      const isMissing =
        one.requests.some((request) => /\/(undefined|null)[/? ]/.test(request)) &&
        (got?.requests.length ?? 0) < one.requests.length;
      const [root] = key.split(' > ');
      // Later requests are missing, too.
      // Without axios an empty response is null, and a lost connection is an error of the platform.
      const isPlain =
        isFetch && wanted.requests === got.requests && /^(204|lost)$/.test(scenario.name);
      if (
        isPlain ||
        isMissing ||
        MISSING.test(JSON.stringify(got)) ||
        (!got && stopped.has(root))
      ) {
        stopped.add(root);
        for (const site of one.hits) documented.add(site);
        continue;
      }
      // Other values cannot stand for a text, and arguments are made up.
      if (
        one.requests.some((request) => /^\w+ \S*(<|\[object )/.test(request)) ||
        NO_OWNER.test(one.outcome) ||
        /must be a string or a number/.test(JSON.stringify(got))
      ) {
        for (const site of one.hits) foreign.add(site);
        continue;
      }
      for (const site of one.hits) wrong.add(site);
      differences.push({ scenario: scenario.name, key, wanted, got });
    }
  }
  for (const site of foreign) if (!wrong.has(site)) replayed.delete(site);
  return {
    documented: [...documented].filter((site) => !wrong.has(site)),
    replayed: [...replayed],
    hit: [...hit],
    wrong: [...wrong],
    differences,
  };
}

/** Random programs. Plain cases dominate in size; several requests are in flight nearly always. */
import fc from 'fast-check';
import type { Merging } from './merges.js';
import {
  ISSUE_IDS,
  LIST_NAMES,
  READS,
  USER_IDS,
  type Command,
  type Ending,
  type Id,
  type IssueFields,
  type IssuePayload,
  type Program,
  type Upkeep,
  type UserPayload,
  type ViewName,
  type Write,
} from './program.js';

export interface ProgramOptions {
  /** Include optimistic functions of the row's own state. */
  readonly functionLayers: boolean;
  readonly merging: Merging;
  /** See `Program.forgetful`. */
  readonly forgetful?: boolean;
  /** Include clock moves, invalidations and resets. */
  readonly upkeep?: boolean;
  /** See `Program.adopts`. */
  readonly adopts?: boolean;
  /** Include state from elsewhere. */
  readonly hydrates?: boolean;
  /** Include requests that do not end for a long time. */
  readonly stalls?: boolean;
  /** Fetch again and again; most responses repeat known values. */
  readonly polls?: boolean;
  readonly maxLength: number;
}

/** The same row by its text and by its number. */
function id(ids: readonly string[]): fc.Arbitrary<Id> {
  return fc
    .tuple(fc.constantFrom(...ids), fc.boolean())
    .map(([text, number]) => (number ? Number(text) : text));
}

const issueId = id(ISSUE_IDS);
const userId = id(USER_IDS);
const name = fc.constantFrom('ann', 'bob', 'cy');
const title = fc.constantFrom('a', 'b', 'c', 'd');
const count = fc.integer({ min: 0, max: 9 });
const status = fc.constantFrom('open', 'done');
const friend = fc.oneof(
  { weight: 4, arbitrary: userId },
  { weight: 1, arbitrary: fc.constant(null) },
);

const user: fc.Arbitrary<UserPayload> = fc.record(
  { id: userId, name, friend },
  { requiredKeys: ['id'] },
);
const userFields = fc.record({ name, friend }, { requiredKeys: [] });

const relationOfIssue = fc.oneof(
  { weight: 3, arbitrary: userId },
  { weight: 1, arbitrary: fc.constant(null) },
);
const author = fc.oneof({ weight: 3, arbitrary: user }, { weight: 2, arbitrary: relationOfIssue });
const parent = fc.oneof(
  { weight: 4, arbitrary: issueId },
  { weight: 1, arbitrary: fc.constant(null) },
);

/** The responses of a server: mostly whole rows without a parent, now and then only some fields. */
const answeredFields: fc.Arbitrary<IssueFields> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ title, n: count, status }) },
  {
    weight: 3,
    arbitrary: fc.record({ title, n: count, status, author, parent }, { requiredKeys: [] }),
  },
);

/** The optimistic updates of a client: some fields, relations by id only. */
const guessedFields: fc.Arbitrary<IssueFields> = fc.record(
  { title, n: count, status, author: relationOfIssue, parent },
  { requiredKeys: [] },
);

const body: fc.Arbitrary<IssueFields> = fc.record(
  { title, status, author: relationOfIssue },
  { requiredKeys: ['status'] },
);

const issue: fc.Arbitrary<IssuePayload> = fc
  .tuple(issueId, answeredFields)
  .map(([pk, fields]) => ({ id: pk, ...fields }));

/** A custom merge sees a row twice in one payload either joined or one by one: not settled, so such payloads hold it once. */
function rows(unique: boolean): fc.Arbitrary<readonly IssuePayload[]> {
  const issues = fc.array(issue, { maxLength: 4 });
  return unique
    ? issues.map((some) =>
        some.filter(
          (row, index) => some.findIndex((other) => String(other.id) === String(row.id)) === index,
        ),
      )
    : issues;
}

function ending(unique: boolean, repeats: fc.Arbitrary<boolean>): fc.Arbitrary<Ending> {
  return fc.record({
    how: fc.oneof(
      { weight: 8, arbitrary: fc.constant('success' as const) },
      { weight: 2, arbitrary: fc.constant('fail' as const) },
      { weight: 2, arbitrary: fc.constant('failSoftly' as const) },
      { weight: 2, arbitrary: fc.constant('empty' as const) },
      { weight: 1, arbitrary: fc.constant('abort' as const) },
    ),
    issue: answeredFields,
    user: userFields,
    rows: rows(unique),
    id: issueId,
    faithful: fc.boolean(),
    repeats,
  });
}

function writes(unique: boolean, repeats: fc.Arbitrary<boolean>): fc.Arbitrary<Write> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant('setIssue' as const), value: issue }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('setUser' as const), value: user }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('bumpIssue' as const), id: issueId }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constantFrom('receiveList' as const, 'receivePage' as const),
        list: fc.constantFrom(...LIST_NAMES),
        rows: rows(unique),
        repeats,
      }),
    },
  );
}

const by = fc.constantFrom('query' as const, 'endpoint' as const);
const view: fc.Arbitrary<ViewName> = fc.oneof(
  fc.record({ of: fc.constant('issue' as const), id: fc.constantFrom(...ISSUE_IDS), by }),
  fc.record({ of: fc.constant('user' as const), id: fc.constantFrom(...USER_IDS), by }),
  fc.record({ of: fc.constant('list' as const), list: fc.constantFrom(...LIST_NAMES), by }),
);

const pick = fc.nat({ max: 7 });
const mostly = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

function command(options: ProgramOptions): fc.Arbitrary<Command> {
  const shared = fc.boolean();
  const isPoll = options.polls === true;
  const unique = options.merging !== 'plain';
  const repeats = isPoll ? mostly : fc.boolean();
  const often = (weight: number): number => (isPoll ? 1 : weight);
  const write = writes(unique, repeats);
  const constant = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
  return fc.oneof(
    {
      weight: isPoll ? 12 : 5,
      arbitrary: fc.record({
        type: constant('readList'),
        list: fc.constantFrom(...LIST_NAMES),
        shared,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: constant('readPage'),
        list: fc.constantFrom(...LIST_NAMES),
        by: fc.constantFrom('number' as const, 'offset' as const),
      }),
    },
    {
      // The rules do not say what a stalled one does to a list that was changed since.
      weight: options.stalls ? 0 : often(3),
      arbitrary: fc.record({ type: constant('sortList'), list: fc.constantFrom(...LIST_NAMES) }),
    },
    {
      weight: isPoll ? 16 : 4,
      arbitrary: fc.record({ type: constant('readIssue'), id: issueId, shared }),
    },
    { weight: 1, arbitrary: fc.record({ type: constant('readUser'), id: userId, shared }) },
    {
      weight: often(5),
      arbitrary: fc.record(
        { type: constant('patchIssue'), id: issueId, optimistic: guessedFields },
        { requiredKeys: ['type', 'id'] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        { type: constant('patchUser'), id: userId, optimistic: userFields },
        { requiredKeys: ['type', 'id'] },
      ),
    },
    {
      weight: often(3),
      arbitrary: fc.record({
        type: constant('deleteIssue'),
        id: issueId,
        optimistic: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: constant('deleteUser'), id: userId, optimistic: fc.boolean() }),
    },
    {
      weight: often(4),
      arbitrary: fc.record({
        type: constant('create'),
        at: fc.constantFrom('start' as const, 'end' as const),
        body,
        optimistic: fc.oneof(
          { weight: 3, arbitrary: fc.constant('temporary' as const) },
          { weight: 1, arbitrary: fc.constant('none' as const) },
          { weight: 1, arbitrary: fc.record({ id: issueId }) },
        ),
      }),
    },
    {
      weight: options.functionLayers ? often(5) : 0,
      arbitrary: fc.record({ type: constant('incrementIssue'), id: issueId }),
    },
    {
      // A row that it reads may be evicted where it has no other reader.
      weight: options.functionLayers && !options.forgetful ? often(4) : 0,
      arbitrary: fc.record({
        type: constant('copyIssue'),
        id: issueId,
        from: issueId,
        list: fc.constantFrom(...LIST_NAMES),
      }),
    },
    {
      weight: 17,
      arbitrary: fc.record({
        type: constant('settle'),
        pick,
        ending: ending(unique, repeats),
      }),
    },
    { weight: 4, arbitrary: write },
    {
      weight: 1,
      arbitrary: fc.record({
        type: constant('batch'),
        writes: fc.array(write, { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ type: constant('subscribe'), view, reads: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ type: constant('unsubscribe'), pick }) },
    { weight: 1, arbitrary: fc.record({ type: constant('look') }) },
    { weight: options.upkeep ? 16 : 0, arbitrary: upkeep },
    {
      weight: options.stalls ? 5 : 0,
      arbitrary: fc.record({
        type: constant('stall'),
        milliseconds: fc.constantFrom(121_000, 61_000),
      }),
    },
    {
      weight: options.adopts ? 8 : 0,
      arbitrary: fc.record({ type: constant('adopt'), id: issueId, pick }),
    },
    {
      weight: options.adopts ? 8 : 0,
      arbitrary: fc.record(
        { type: constant('edit'), pick, optimistic: guessedFields },
        { requiredKeys: ['type', 'pick'] },
      ),
    },
    {
      weight: options.adopts ? 3 : 0,
      arbitrary: fc.record({ type: constant('remove'), pick, optimistic: fc.boolean() }),
    },
    {
      weight: options.hydrates ? 10 : 0,
      arbitrary: fc.record({
        type: fc.constantFrom('streamPart' as const, 'fillIn' as const),
        list: fc.constantFrom(...LIST_NAMES),
        rows: rows(false),
      }),
    },
    { weight: options.hydrates ? 1 : 0, arbitrary: fc.record({ type: constant('streamEnd') }) },
    {
      // After a stall everything is past its lifetime, too, and an optimistic function may read what is forgotten.
      weight: options.forgetful ? 12 : options.stalls ? 0 : 3,
      arbitrary: fc.record({ type: constant('sweep'), steps: fc.integer({ min: 1, max: 60 }) }),
    },
  );
}

const of = fc.constantFrom(...READS);
const milliseconds = fc.constantFrom(400, 1000, 4000, 10_000);

/** Lists above all: they have pages. */
const asked: fc.Arbitrary<ViewName> = fc.oneof(
  { weight: 2, arbitrary: view },
  {
    weight: 1,
    arbitrary: fc.constant({ of: 'list' as const, list: 'all' as const, by: 'endpoint' as const }),
  },
);

const upkeep: fc.Arbitrary<Upkeep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('invalidate' as const), view: asked }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('invalidateAll' as const), of }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('expireAll' as const), of }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('fetchIfStale' as const), view: asked }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('setError' as const), view: asked }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('wait' as const), milliseconds }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const) }) },
);

/** Programs start on an empty store, or on one that has lists and a subscriber already. */
export function programs(options: ProgramOptions): fc.Arbitrary<Program> {
  const seeded: Command[] = [
    {
      type: 'receiveList',
      list: 'all',
      rows: [
        { id: 1, title: 'a', n: 0, status: 'open', author: { id: 1, name: 'ann', friend: 2 } },
        { id: '2', status: 'done' },
      ],
    },
    { type: 'receiveList', list: 'open', rows: [{ id: '1' }] },
    { type: 'subscribe', view: { of: 'list', list: 'all', by: 'endpoint' }, reads: true },
  ];
  const steps = fc.array(command(options), { maxLength: options.maxLength, size: 'max' });
  return fc.record({
    lookAlways: fc.boolean(),
    forgetful: fc.constant(options.forgetful === true),
    merging: fc.constant(options.merging),
    adopts: fc.constant(options.adopts === true),
    streams: options.hydrates ? fc.boolean() : fc.constant(false),
    commands: fc.oneof(
      steps,
      steps.map((rest) => [...seeded, ...rest]),
    ),
  });
}

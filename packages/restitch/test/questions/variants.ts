/** The kinds of random programs, and which part of all programs each is. */
import type { ProgramOptions } from './generators.js';
import { OUTDATING, OUTDATING_WHERE, type Ending } from './program.js';

export interface Variant {
  readonly share: number;
  readonly options: ProgramOptions;
}

const lists: ProgramOptions = {
  endpoints: { resource: 3, list: 3, derived: 2, import: 1 },
  keys: 'always',
  tables: [0],
  names: ['Row'],
  sizes: [0],
  lists: { 'collection home': 4, 'collection object': 2, 'collection name': 1, 'array home': 1 },
  changes: ['path', 'urlPrefix', 'searchParams', 'method', 'url'],
  prefixes: [0, 1],
  asks: ['query', 'query', 'path', 'default'],
};
const OF_VALUES = ['parseResponse', 'fetchResponse', 'validate'] as const;
const edits = { mutate: 3, add: 1 };
const RESPONSE: Ending = { how: 'respond', isEarly: false, form: 0 };
/** A reader of the first question has a response. */
const SHOWN: NonNullable<ProgramOptions['prelude']> = [
  { type: 'mount', question: 0, suspends: false },
  { type: 'respond', flight: 0, ending: RESPONSE },
];

/** The shares add up to 1.54. */
export const VARIANTS = {
  /** Classes whose names say nothing (identity 1). */
  classes: {
    share: 0.08,
    options: {
      endpoints: { resource: 3, list: 2, derived: 1 },
      changes: ['schema', 'path'],
      classes: 3,
      steps: { mutate: 1, set: 1 },
    },
  },
  /** Classes that only the minifier named. */
  unnamed: {
    share: 0.02,
    options: {
      endpoints: { resource: 3, list: 2 },
      keys: 'never',
      names: ['a'],
      classes: 3,
      groups: 'never',
    },
  },
  /** Lists of one class at several places (2.1, 2.2, 2.4). */
  lists: { share: 0.06, options: lists },
  /** The same, edited (2.3, 2.8). */
  edits: { share: 0.07, options: { ...lists, steps: edits } },
  /** Creates at a path of their own, of a list that is shown (2.3). */
  imports: {
    share: 0.04,
    options: {
      ...lists,
      endpoints: { list: 1, import: 1 },
      fewest: 3,
      lists: { 'collection home': 1 },
      asks: ['query'],
      groups: 'never',
      steps: { mutate: 8, respond: 8 },
      prelude: SHOWN,
    },
  },
  /** Changes and deletes that show before their responses arrive (5.2). */
  optimistic: {
    share: 0.05,
    options: {
      ...lists,
      endpoints: { resource: 4, list: 1 },
      optimistic: 'always',
      steps: { mutate: 4, outdate: 1 },
      endings: ['fail'],
    },
  },
  /** Within envelopes, and as maps (2.2). */
  envelopes: {
    share: 0.08,
    options: { ...lists, envelopes: [0, 1, 2], maps: true, steps: edits },
  },
  /** Reads with a body (3.1). */
  bodies: { share: 0.05, options: { ...lists, endpoints: { search: 3 } } },
  /** Functions, and what they are called with (3.2). */
  functions: { share: 0.06, options: { ...lists, endpoints: { function: 3 }, fewest: 3 } },
  boundFunctions: {
    share: 0.02,
    options: { ...lists, endpoints: { function: 3 }, binds: 'always', fewest: 2 },
  },
  /** Endpoints whose arguments are bound, and what `extend` makes before and after (3.2). */
  bound: {
    share: 0.07,
    options: {
      ...lists,
      endpoints: { resource: 2, list: 4, value: 1, bound: 5 },
      changes: [...(lists.changes ?? []), 'url', 'url', 'schema', 'process'],
      classes: 2,
      steps: { ...edits, outdate: 1 },
    },
  },
  /** Endpoints that make something else of a response (3.3, 3.4). */
  derived: {
    share: 0.09,
    options: {
      ...lists,
      endpoints: { value: 2, derived: 3, resource: 1 },
      changes: ['process', 'process', ...OF_VALUES, 'schema', 'searchParams', 'method'],
      classes: 3,
      sizes: [0, 1, 2],
    },
  },
  /** Reads at one URL that are sent otherwise, or ask for more than their arguments say (2.1, 3.1). */
  sent: {
    share: 0.04,
    options: {
      ...lists,
      endpoints: { value: 2, list: 1, derived: 3 },
      changes: ['method', 'searchParams'],
      prefixes: [0],
      asks: ['query', 'default'],
    },
  },
  /** Two users (4.3). */
  scopes: {
    share: 0.05,
    options: {
      ...lists,
      endpoints: { resource: 3, derived: 1 },
      scopes: 'always',
      steps: edits,
    },
  },
  /** Summaries and records (4.2). */
  records: {
    share: 0.08,
    options: {
      ...lists,
      endpoints: { resource: 4, list: 1, derived: 1 },
      changes: ['path', 'schema'],
      sizes: [1, 2],
      classes: 2,
      partial: true,
      steps: { mutate: 2, set: 1, sweep: 1, outdate: 1, wait: 1, elsewhere: 1 },
      forms: [0, 1, 2],
    },
  },
  /** Deletes with responses of every kind (4.1). */
  deletes: {
    share: 0.07,
    options: {
      ...lists,
      endpoints: { resource: 3, invalidate: 1 },
      steps: { mutate: 6, respond: 8 },
      forms: [0, 1, 2, 3, 3, 4],
      prelude: SHOWN,
    },
  },
  /** Responses that cannot be read (2.6, 5.2). */
  odd: {
    share: 0.05,
    options: {
      ...lists,
      endpoints: { resource: 3, search: 1 },
      envelopes: [0, 1, 2],
      steps: { outdate: 1, mutate: 1, elsewhere: 1 },
      endings: ['none', 'odd', 'fail'],
    },
  },
  /** Classes that make nothing of a response, refuse it, or keep what they have (5.2). */
  unreadable: {
    share: 0.05,
    options: {
      ...lists,
      endpoints: { resource: 4, list: 1 },
      classes: 3,
      sizes: [1, 2],
      traits: ['plain', 'vanishing', 'picky', 'stubborn'],
      steps: { mutate: 1, outdate: 1 },
    },
  },
  /** Lists that records hold (2.4). */
  nested: {
    share: 0.1,
    options: {
      ...lists,
      endpoints: { resource: 3, items: 2 },
      sizes: [0, 1],
      owns: true,
      groups: 'never',
      declarations: 2,
      steps: { mutate: 3, set: 1, elsewhere: 1, sweep: 1 },
    },
  },
  /** The same, and two users who read and edit them at a path of their own (4.3). */
  nestedScopes: {
    share: 0.08,
    options: {
      ...lists,
      endpoints: { resource: 1, items: 1 },
      sizes: [0],
      owns: true,
      nests: ['nestKey'],
      groups: 'never',
      scopes: 'always',
      fewest: 3,
      lists: { 'array home': 1 },
      steps: { mount: 3, mutate: 8, respond: 10 },
      prelude: [
        { type: 'mount', question: 1, suspends: false },
        { type: 'respond', flight: 0, ending: RESPONSE },
      ],
    },
  },
  /** What grows old, or is outdated; also what came by responses to other questions. */
  freshness: {
    share: 0.08,
    options: {
      ...lists,
      endpoints: { resource: 4, list: 2, value: 1, bound: 1 },
      changes: ['path'],
      sizes: [0],
      classes: 2,
      tables: [0],
      groups: 'never',
      steps: { mount: 6, outdate: 3, wait: 2, wake: 2, mutate: 1, sweep: 1 },
      outdating: [...OUTDATING, ...OUTDATING_WHERE],
      prelude: [...SHOWN, { type: 'mount', question: 2, suspends: false }],
    },
  },
  /** The same of lists in records, and of records in lists. */
  freshNested: {
    share: 0.04,
    options: {
      ...lists,
      endpoints: { resource: 1, items: 1 },
      sizes: [0],
      owns: true,
      nests: ['nestKey'],
      groups: 'never',
      fewest: 3,
      steps: { mount: 8, outdate: 4, wait: 1, wake: 1, leave: 0 },
      outdating: [...OUTDATING, ...OUTDATING_WHERE],
      prelude: SHOWN,
    },
  },
  /** Users who follow one another, with requests of the last one under way. */
  sessions: {
    share: 0.06,
    options: {
      ...lists,
      endpoints: { resource: 4, list: 2, value: 1, derived: 1 },
      groups: 'never',
      steps: { mount: 5, mutate: 2, add: 1, fetch: 2, signOut: 3, page: 1, respond: 8 },
      endings: ['refuse'],
      prelude: SHOWN,
    },
  },
  /** Getters of all endpoints say whose data it is, and return something else at each step. */
  tenants: {
    share: 0.05,
    options: {
      ...lists,
      endpoints: { resource: 3, list: 2, derived: 1, bound: 1 },
      changes: ['path', 'searchParams', 'method', 'url', 'schema'],
      prefixes: [0],
      classes: 2,
      tenants: ['urlPrefix', 'service'],
      steps: { ...edits, mount: 8, outdate: 4, wait: 1, wake: 2 },
      outdating: [...OUTDATING, ...OUTDATING_WHERE],
      prelude: SHOWN,
    },
  },
  /** Pages (6.2) whose place moves while they are under way. */
  moved: {
    share: 0.02,
    options: {
      ...lists,
      endpoints: { list: 1 },
      declarations: 1,
      lists: { 'collection home': 1 },
      groups: 'never',
      envelopes: [1, 2],
      pages: 'always',
      steps: { page: 4, fetch: 2, respond: 6, elsewhere: 2 },
      prelude: [
        ...SHOWN,
        { type: 'page', question: 0 },
        { type: 'elsewhere', what: 'insert', pick: 0 },
        { type: 'elsewhere', what: 'insert', pick: 0 },
        { type: 'fetch', question: 0 },
        { type: 'respond', flight: 1, ending: RESPONSE },
        { type: 'respond', flight: 0, ending: RESPONSE },
      ],
    },
  },
  /** Pages of lists at several places. */
  pages: {
    share: 0.08,
    options: {
      ...lists,
      endpoints: { list: 3, derived: 1 },
      lists: { 'collection home': 1 },
      groups: 'never',
      envelopes: [1, 2],
      pages: 'always',
      steps: { mount: 3, page: 6, fetch: 4, respond: 8, elsewhere: 4, mutate: 1 },
      prelude: SHOWN,
      maxLength: 14,
    },
  },
} satisfies Record<string, Variant>;

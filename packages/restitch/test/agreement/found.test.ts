/** Programs that once ended with a difference, shrunk. */
import { expect, it } from 'vitest';
import type { Change, Program, Step } from './program.js';
import { World } from './World.js';

const plain: Omit<Program, 'steps'> = {
  optimistic: false,
  functions: 'none',
  sending: 'at once',
  runs: 'as sent',
  hasComments: false,
  owners: 'mounted',
  isLoaded: false,
  expiry: 60_000,
  tickets: [{ title: 'one', status: 'open', tags: [], owner: 'u1' }],
  last: { style: 'empty', picks: [], first: 'list' },
};

const mount = (pick: number): Step => ({ do: 'mount', kind: 'list', pick });
const fetchList = (pick: number): Step => ({ do: 'fetch', kind: 'list', pick });
const move = (body: Change): Step => ({ do: 'move', pick: 0, body });
const answer = (pick: number, fails = false): Step => ({
  do: 'answer',
  pick,
  style: 'full',
  fails,
});
const [OPEN, DONE, TAGGED, ALL] = [0, 1, 2, 4];
const create = (status: string): Step => ({
  do: 'create',
  at: 'start',
  body: { title: 'one', status, tags: [], owner: 'u1', flag: false },
});

const found: Record<string, Partial<Program> & Pick<Program, 'steps'>> = {
  'a list in its first load, which the server read before two moves that it ran in the opposite order':
    {
      runs: 'as answered',
      tickets: [{ title: 'one', status: 'done', tags: [], owner: 'u1' }],
      steps: [
        mount(OPEN),
        { do: 'settle' },
        { do: 'carry out', pick: 0, style: 'full', fails: false },
        move({ status: 'open' }),
        move({ tags: ['a'] }),
        { do: 'settle' },
        answer(-1),
        { do: 'settle' },
        answer(-1),
        { do: 'settle' },
      ],
      last: { style: 'full', picks: [], first: 'list' },
    },
  'a ticket that a list has loaded, after a 204 to a create of its comment': {
    hasComments: true,
    steps: [
      fetchList(ALL),
      { do: 'settle' },
      answer(0),
      { do: 'settle' },
      { do: 'comment', pick: 0, text: 'one' },
    ],
    last: { style: 'empty', picks: [], first: 'ticket' },
  },
  'a ticket that a list has loaded, after a 204 to an action on its owner': {
    owners: 'loaded',
    steps: [
      fetchList(ALL),
      { do: 'settle' },
      answer(0),
      { do: 'settle' },
      { do: 'praise', pick: 0 },
    ],
    last: { style: 'empty', picks: [], first: 'ticket' },
  },
  'a partial response moves a record that is not stored into a list': {
    steps: [mount(TAGGED), move({ tags: ['a'] })],
    last: { style: 'partial', picks: [], first: 'list' },
  },
  'a partial response moves a record of which another one stored a part': {
    steps: [
      { do: 'flag', pick: 0 },
      answer(0),
      { do: 'answer', pick: 0, style: 'partial', fails: false },
      mount(TAGGED),
      move({ tags: ['a'] }),
    ],
    last: { style: 'partial', picks: [], first: 'list' },
  },
  'the first of two moves is answered after the list was fetched again': {
    steps: [move({ status: 'open' }), mount(DONE), move({ status: 'done' })],
    last: { style: 'empty', picks: [5], first: 'list' },
  },
  'a failed move was queued behind one with a partial response': {
    sending: 'serial',
    functions: 'skipping',
    steps: [
      { do: 'flag', pick: 0 },
      move({ status: 'open' }),
      move({ tags: ['a'] }),
      answer(0),
      { do: 'settle' },
      fetchList(TAGGED),
      { do: 'answer', pick: 0, style: 'partial', fails: false },
      { do: 'settle' },
      { do: 'carry out', pick: 1, style: 'full', fails: true },
    ],
    last: { style: 'full', picks: [], first: 'list' },
  },
  'a record is moved into a list after an action with unknown effect': {
    sending: 'serial',
    steps: [
      mount(OPEN),
      move({ status: 'done' }),
      { do: 'vote', pick: 0 },
      move({ status: 'open' }),
    ],
  },
  'the function of a move runs again after its 204 and skips its update': {
    functions: 'skipping',
    isLoaded: true,
    steps: [
      fetchList(DONE),
      mount(TAGGED),
      { do: 'fetch', kind: 'ticket', pick: 0 },
      move({ status: 'done', tags: [] }),
    ],
    last: { style: 'empty', picks: [5, 0], first: 'list' },
  },
  'a 204 of an unknown record comes before the full response to an earlier change': {
    steps: [
      { do: 'patch', pick: 0, body: { title: 'one' } },
      move({ tags: ['b'] }),
      mount(OPEN),
      { do: 'refetch', pick: 0 },
      { do: 'rename', pick: 0, name: 'one' },
      { do: 'carry out', pick: 0, style: 'full', fails: false },
      answer(2),
      { do: 'answer', pick: 3, style: 'empty', fails: true },
      answer(1),
    ],
    last: { style: 'full', picks: [], first: 'list' },
  },
  'a pending create keeps an earlier move above the newer list': {
    steps: [
      mount(DONE),
      create('done'),
      move({ status: 'open', tags: [] }),
      move({ status: 'done', tags: [] }),
      { do: 'carry out', pick: 2, style: 'partial', fails: false },
      create('open'),
    ],
    last: { style: 'empty', picks: [5], first: 'list' },
  },
  'a stalled move is answered after a later action': {
    steps: [
      mount(OPEN),
      move({ status: 'open' }),
      { do: 'pass', milliseconds: 125_000 },
      { do: 'vote', pick: 0 },
    ],
    tickets: [{ title: 'one', status: 'done', tags: [], owner: 'u1' }],
    last: { style: 'full', picks: [3], first: 'list' },
  },
  'a comment gets a 204 before another one moves its ticket into a list': {
    hasComments: true,
    sending: 'coalesced',
    steps: [
      mount(DONE),
      move({ tags: [] }),
      { do: 'comment', pick: 0, text: 'one' },
      answer(3),
      move({ status: 'done', tags: [] }),
    ],
  },
  'a comment of a created ticket gets a 204 while a list is on its way': {
    hasComments: true,
    isLoaded: true,
    tickets: [],
    steps: [
      { do: 'invalidateAll', kind: 'list', pick: 0 },
      answer(0),
      { do: 'carry out', pick: 0, style: 'full', fails: false },
      create('open'),
      { do: 'pass', milliseconds: 1 },
      answer(3),
      { do: 'comment', pick: 0, text: 'one' },
    ],
    last: { style: 'empty', picks: [1], first: 'list' },
  },
  'a ticket is moved into a list in its first load, while an earlier rename of its owner is pending':
    {
      sending: 'serial',
      runs: 'as answered',
      owners: 'loaded',
      tickets: [{ title: 'one', status: 'open', tags: [], owner: 'u2' }],
      steps: [
        { do: 'rename', pick: 1, name: 'one' },
        mount(DONE),
        { do: 'settle' },
        { do: 'carry out', pick: -1, style: 'full', fails: false },
        { do: 'settle' },
        move({ status: 'done' }),
        { do: 'settle' },
        answer(-1),
        { do: 'settle' },
      ],
      last: { style: 'full', picks: [], first: 'list' },
    },
};

it.each(Object.entries(found))('client and server agree when %s', async (_, program) => {
  expect(await new World({ ...plain, ...program }).run()).toEqual([]);
});

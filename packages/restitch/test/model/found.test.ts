/** Programs on which the naive model or the store was wrong once. */
import { expect, it } from 'vitest';
import { run } from './interpreter.js';
import type { Ending, Program } from './program.js';

const plain: Omit<Program, 'commands'> = {
  lookAlways: false,
  forgetful: false,
  merging: 'plain',
  adopts: false,
  streams: false,
};
const ending: Ending = { how: 'success', issue: {}, user: {}, rows: [], id: 1, faithful: true };

it('a row may be evicted while the only reader of its result has an error', async () => {
  const program: Program = {
    ...plain,
    forgetful: true,
    commands: [
      { type: 'readIssue', id: '3', shared: true },
      {
        type: 'subscribe',
        view: { of: 'issue', id: '3', by: 'endpoint' },
        reads: false,
      },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'fail' } },
      { type: 'incrementIssue', id: '3' },
      { type: 'settle', pick: 0, ending },
      { type: 'sweep', steps: 8 },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 7 });
});

it('a list that arrives with a page after a garbage collection holds the row that is being created', async () => {
  const program: Program = {
    ...plain,
    streams: true,
    commands: [
      { type: 'create', at: 'start', body: { status: 'open' }, optimistic: { id: '1' } },
      { type: 'sweep', steps: 10 },
      { type: 'streamPart', list: 'all', rows: [] },
      { type: 'look' },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 6 });
});

it('an optimistic update that reads a list without its first response sees no create that ranks below that response', async () => {
  const creation = { type: 'create', at: 'start', body: { status: 'open' } } as const;
  const program: Program = {
    ...plain,
    commands: [
      { ...creation, optimistic: { id: '1' } },
      { type: 'patchIssue', id: '1' },
      { type: 'settle', pick: 0, ending },
      { ...creation, optimistic: { id: '1' } },
      { type: 'copyIssue', id: '1', from: '1', list: 'open' },
      { type: 'readList', list: 'all', shared: false },
      { type: 'subscribe', view: { of: 'issue', id: '1', by: 'query' }, reads: true },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'abort' } },
      { type: 'readList', list: 'open', shared: false },
      { type: 'settle', pick: 3, ending },
      { type: 'fillIn', list: 'open', rows: [] },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'fail' } },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 15 });
});

it('a soft failure is given to readers that wait for a deleted row', async () => {
  const program: Program = {
    ...plain,
    commands: [
      { type: 'readIssue', id: '4', shared: true },
      { type: 'settle', pick: 0, ending },
      { type: 'readIssue', id: '4', shared: true },
      { type: 'deleteIssue', id: '4', optimistic: false },
      { type: 'settle', pick: 1, ending },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'abort' } },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 7 });
});

it('a create that a response replaced still raises mutations that were sent after it', async () => {
  const program: Program = {
    ...plain,
    commands: [
      { type: 'deleteIssue', id: '1', optimistic: false },
      { type: 'readIssue', id: '1', shared: false },
      { type: 'create', at: 'start', body: { status: 'open' }, optimistic: 'temporary' },
      { type: 'deleteIssue', id: '1', optimistic: false },
      { type: 'settle', pick: 3, ending },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'failSoftly' } },
      { type: 'readList', list: 'all', shared: false },
      { type: 'settle', pick: 1, ending: { ...ending, how: 'empty' } },
      { type: 'patchIssue', id: '1' },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 13 });
});

it('readers need not wait for the failure of a request that is older than their response', async () => {
  const program: Program = {
    ...plain,
    commands: [
      { type: 'readList', list: 'done', shared: true },
      { type: 'receiveList', list: 'done', rows: [] },
      { type: 'stall', milliseconds: 61_000 },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'failSoftly' } },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 5 });
});

it('the optimistic update of a stalled create is overtaken for good, though the function that overtook it then writes nothing', async () => {
  const program: Program = {
    ...plain,
    commands: [
      { type: 'create', at: 'start', body: { status: 'open' }, optimistic: { id: '2' } },
      { type: 'stall', milliseconds: 121_000 },
      { type: 'readList', list: 'all', shared: false },
      { type: 'readIssue', id: '1', shared: false },
      { type: 'copyIssue', id: '2', from: '1', list: 'all' },
      { type: 'settle', pick: 2, ending },
      { type: 'settle', pick: 2, ending: { ...ending, how: 'empty' } },
      { type: 'settle', pick: 0, ending },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 10 });
});

it('an empty response to an update that nothing predicted raises mutations that were sent after it', async () => {
  const program: Program = {
    ...plain,
    commands: [
      { type: 'patchIssue', id: '4' },
      { type: 'create', at: 'start', body: { status: 'open' }, optimistic: { id: '4' } },
      { type: 'settle', pick: 1, ending: { ...ending, how: 'empty' } },
      { type: 'receiveList', list: 'all', rows: [{ id: '4', title: 'a', n: 0, status: 'done' }] },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'empty' } },
    ],
  };
  expect((await run(program)).steps).toBeGreaterThan(4);
});

it('a deleted record that is created again stays out of a list that had waited for its schema', async () => {
  const program: Program = {
    ...plain,
    streams: true,
    commands: [
      { type: 'deleteIssue', id: '1', optimistic: false },
      { type: 'settle', pick: 0, ending },
      { type: 'streamPart', list: 'done', rows: [] },
      { type: 'create', at: 'start', body: { status: 'open' }, optimistic: { id: '1' } },
      { type: 'incrementIssue', id: '1' },
      { type: 'streamPart', list: 'done', rows: [{ id: '1' }] },
      { type: 'settle', pick: 0, ending: { ...ending, issue: { status: 'open' } } },
      { type: 'settle', pick: 0, ending: { ...ending, how: 'fail' } },
    ],
  };
  expect(await run(program)).toMatchObject({ steps: 9 });
});

/** The naive model against the counterexamples that the rules of order were written from, by hand: it must be right before it judges. */
import { describe, expect, it } from 'vitest';
import { Model } from './model.js';
import type { Ending, IssueFields, IssuePayload, ListName, Request } from './program.js';

const PLAIN: Ending = { how: 'success', issue: {}, user: {}, rows: [], id: 1, faithful: true };

function respond(parts: Partial<Ending>): Ending {
  return { ...PLAIN, ...parts };
}

const FAILURE = respond({ how: 'fail' });
const EMPTY = respond({ how: 'empty' });

class Story {
  readonly model: Model = new Model({ merging: 'plain' });

  patch(optimistic?: IssueFields, id = '1'): number {
    return this.model.begin({ type: 'patchIssue', id, optimistic });
  }

  read(id = '1'): number {
    return this.model.begin({ type: 'readIssue', id, shared: false });
  }

  readList(list: ListName = 'all'): number {
    return this.model.begin({ type: 'readList', list, shared: false });
  }

  create(
    optimistic: (Request & { type: 'create' })['optimistic'],
    body: IssueFields = { status: 'open' },
  ): number {
    return this.model.begin({ type: 'create', at: 'end', body, optimistic });
  }

  remove(id: string, optimistic = false): number {
    return this.model.begin({ type: 'deleteIssue', id, optimistic });
  }

  set(value: IssuePayload): void {
    this.model.write({ type: 'setIssue', value });
  }

  list(list: ListName, ...ids: string[]): void {
    this.model.write({ type: 'receiveList', list, rows: ids.map((id) => ({ id })) });
  }

  settle(id: number, ending: Partial<Ending>): void {
    this.model.settle(id, respond(ending));
  }

  row(id = '1'): unknown {
    return this.model.visible().rows.get(`Issue:${id}`);
  }

  members(list: ListName = 'all'): readonly string[] | undefined {
    return this.model
      .visible()
      .lists.get(list)
      ?.map((key) => key.replace('Issue:', ''));
  }
}

const list = (...ids: string[]): { rows: { id: string }[] } => ({
  rows: ids.map((id) => ({ id })),
});

describe('rank', () => {
  it('lets the later-started read win, whenever they arrive', () => {
    const story = new Story();
    const [older, newer] = [story.read(), story.read()];
    story.settle(newer, { issue: { n: 2 } });
    story.settle(older, { issue: { n: 1 } });
    expect(story.row()).toEqual({ id: '1', n: 2 });
  });

  it('hides a read under a mutation that an older one raises above it', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    const first = story.patch({ n: 1 });
    const second = story.patch({ n: 2 });
    story.settle(second, { issue: { n: 2 } });
    const read = story.read();
    story.settle(read, { issue: { n: 9, title: 'a' } });
    story.settle(first, { issue: { n: 1 } });
    expect(story.row()).toEqual({ id: '1', n: 2, title: 'a' });
  });

  it('raises backwards when an older mutation without an optimistic update gets its response', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    const first = story.patch();
    const second = story.patch();
    story.settle(second, { issue: { n: 2 } });
    const read = story.read();
    story.settle(read, { issue: { n: 9 } });
    expect(story.row()).toMatchObject({ n: 9 });
    story.settle(first, { issue: { title: 'y' } });
    expect(story.row()).toMatchObject({ n: 2, title: 'y' });
  });

  it('takes the raise back when the raising mutation fails', () => {
    const story = new Story();
    story.list('all', '4');
    const first = story.create('temporary');
    const second = story.remove('4');
    story.settle(second, {});
    const read = story.readList();
    story.settle(read, list('4'));
    expect(story.members()).toEqual(['~1']);
    story.settle(first, FAILURE);
    expect(story.members()).toEqual(['4']);
  });

  it('ranks a local write below the mutations in flight', () => {
    const story = new Story();
    const mutation = story.patch({ n: 5 });
    story.set({ id: '1', n: 1, title: 'a' });
    expect(story.row()).toEqual({ id: '1', n: 5, title: 'a' });
    story.settle(mutation, FAILURE);
    expect(story.row()).toEqual({ id: '1', n: 1, title: 'a' });
  });
});

describe('rows', () => {
  it('keep a partial optimistic update inert until a read brings the row', () => {
    const story = new Story();
    const read = story.read();
    story.patch({ n: 5 });
    expect(story.row()).toBeUndefined();
    story.settle(read, { issue: { title: 'a' } });
    expect(story.row()).toEqual({ id: '1', n: 5, title: 'a' });
  });

  it('start from nothing above a tombstone', () => {
    const story = new Story();
    story.set({ id: '1', n: 1 });
    story.settle(story.remove('1'), {});
    expect(story.row()).toBeUndefined();
    story.set({ id: '1', title: 'b' });
    expect(story.row()).toEqual({ id: '1', title: 'b' });
  });

  it('are not brought back by a read that began before the response to the deletion arrived', () => {
    const story = new Story();
    story.set({ id: '1' });
    const removal = story.remove('1');
    const read = story.read();
    story.settle(removal, {});
    story.settle(read, { issue: { n: 1 } });
    expect(story.row()).toBeUndefined();
  });

  it('keep the optimistic update when the response contains no row', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    story.settle(story.patch({ n: 5 }), EMPTY);
    expect(story.row()).toMatchObject({ n: 5 });
  });

  it('count a double increment once with a poll between', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    const first = story.model.begin({ type: 'incrementIssue', id: '1' });
    const second = story.model.begin({ type: 'incrementIssue', id: '1' });
    expect(story.row()).toMatchObject({ n: 2 });
    story.settle(story.read(), { issue: { n: 2 } });
    expect(story.row()).toMatchObject({ n: 2 });
    story.settle(first, { issue: { n: 1 } });
    expect(story.row()).toMatchObject({ n: 2 });
    story.settle(second, { issue: { n: 2 } });
    expect(story.row()).toMatchObject({ n: 2 });
  });

  it('keep an increment that a 204 confirmed a function while something older is in flight', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    const first = story.model.begin({ type: 'incrementIssue', id: '1' });
    const second = story.model.begin({ type: 'incrementIssue', id: '1' });
    story.settle(second, EMPTY);
    expect(story.row()).toMatchObject({ n: 2 });
    story.settle(first, FAILURE);
    expect(story.row()).toMatchObject({ n: 1 });
  });

  it('compose an increment over a read that started before it', () => {
    const story = new Story();
    story.set({ id: '1', n: 0 });
    const read = story.read();
    story.model.begin({ type: 'incrementIssue', id: '1' });
    story.settle(read, { issue: { n: 10 } });
    expect(story.row()).toMatchObject({ n: 11 });
  });

  it('let an optimistic update read other rows below itself, older optimistic updates included', () => {
    const story = new Story();
    story.set({ id: '1', title: 'a' });
    story.set({ id: '2', title: 'b' });
    story.model.begin({ type: 'copyIssue', id: '1', from: '2', list: 'all' });
    story.model.begin({ type: 'copyIssue', id: '2', from: '1', list: 'all' });
    expect([story.row('1'), story.row('2')]).toMatchObject([{ title: 'b' }, { title: 'b' }]);
    story.settle(story.read('2'), { issue: { title: 'c' } });
    expect([story.row('1'), story.row('2')]).toMatchObject([{ title: 'b' }, { title: 'b' }]);
  });

  it('apply a local function where it ranks', () => {
    const story = new Story();
    const read = story.read();
    story.model.write({ type: 'bumpIssue', id: '1' });
    expect(story.row()).toMatchObject({ n: 1 });
    story.settle(read, { issue: { n: 5 } });
    expect(story.row()).toMatchObject({ n: 6 });
  });
});

describe('lists', () => {
  it('loaded later replay what happened before', () => {
    const story = new Story();
    const read = story.readList();
    story.settle(story.create('none'), { id: '7' });
    expect(story.members()).toBeUndefined();
    story.settle(read, list('1'));
    expect(story.members()).toEqual(['1', '7']);
  });

  it('forget a deleted row, so that it does not reappear at its old place', () => {
    const story = new Story();
    story.list('all', '1', '2');
    story.settle(story.remove('1'), {});
    story.set({ id: '1' });
    expect(story.members()).toEqual(['2']);
    story.settle(story.create('none'), { id: '1' });
    expect(story.members()).toEqual(['2', '1']);
  });

  it('never contain two rows for one create', () => {
    const story = new Story();
    story.list('all', '1');
    const creation = story.create('temporary');
    story.settle(story.readList(), list('1', '7', '2'));
    expect(story.members()).toEqual(['1', '~1']);
    story.settle(creation, { id: '7' });
    expect(story.members()).toEqual(['1', '7', '2']);
  });

  it('known only by responses that began after a create hide its row until its response arrives', () => {
    const story = new Story();
    const creation = story.create('temporary');
    story.settle(story.readList(), list('1', '7'));
    expect(story.members()).toEqual(['1', '7']);
    story.settle(creation, { id: '7' });
    expect(story.members()).toEqual(['1', '7']);
  });

  it('hide a row per create, and a hidden one withholds nothing', () => {
    const story = new Story();
    story.create('temporary');
    story.settle(story.readList(), list('1'));
    story.create('temporary');
    expect(story.members()).toEqual(['1', '~2']);
    story.settle(story.readList(), list('1', '7'));
    expect(story.members()).toEqual(['1', '~2']);
  });

  it('treat a response that was requested before a create as one that may hold its row', () => {
    const story = new Story();
    const early = story.readList();
    const first = story.create('temporary');
    story.settle(early, list('1', '7'));
    expect(story.members()).toEqual(['1', '7']);
    story.settle(first, { id: '7' });
    const late = story.readList();
    const second = story.create('temporary');
    story.settle(late, list('1', '7', '8'));
    expect(story.members()).toEqual(['1', '7', '~3']);
    story.settle(second, { id: '8' });
    expect(story.members()).toEqual(['1', '7', '8']);
  });

  it('keep a confirmed row that an older read lacks, and lose it to a newer read', () => {
    const story = new Story();
    story.list('all', '1');
    const read = story.readList();
    story.settle(story.create('temporary'), { id: '7' });
    story.settle(read, list('2', '1'));
    expect(story.members()).toEqual(['2', '1', '7']);
    story.settle(story.readList(), list('1'));
    expect(story.members()).toEqual(['1']);
  });

  it('hand a created row to the lists that its response matches', () => {
    const story = new Story();
    story.list('open');
    story.list('done');
    const creation = story.create('temporary', { status: 'open' });
    expect(story.members('open')).toEqual(['~2']);
    story.settle(creation, { id: '7', faithful: false, issue: { status: 'done' } });
    expect(story.members('open')).toEqual([]);
    expect(story.members('done')).toEqual(['7']);
  });

  it('show a pk once, at its first place', () => {
    const story = new Story();
    story.list('all', '2', '1', '2');
    expect(story.members()).toEqual(['2', '1']);
  });
});

it('an empty response to a mutation of an unknown row removes what a stalled mutation shows of it', () => {
  const story = new Story();
  story.patch({ title: 'hung' });
  story.model.stall(121_000);
  story.settle(story.patch(), { how: 'empty' });
  story.settle(story.read(), { issue: { title: 'of the server' } });
  expect(story.row()).toMatchObject({ title: 'of the server' });
});

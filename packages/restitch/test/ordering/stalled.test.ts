/** A mutation that never ends freezes nothing: two minutes after its start it is stalled. */
import { Collection, Controller, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';
import { idsOf, ignore, listen, manual, mutation } from '../support/world.js';
import { Clock } from '../support/clock.js';

class Issue extends Entity {
  id = '';
  title = '';
  status = '';
  votes = 0;
  static override key = 'Issue';
}

const issues = new Collection([Issue]);
const MINUTE = 60_000;

function open(options = {}) {
  const clock = new Clock();
  const controller = new Controller({
    environment: clock.environment,
    sweep: false,
    dataExpiryLength: 300 * MINUTE,
    ...options,
  });
  const getList = manual('getList', issues);
  const poll = async (rows: readonly object[]): Promise<void> => {
    ignore(controller.fetch(getList.endpoint, {}));
    await getList.respond(rows);
  };
  return {
    clock,
    controller,
    getList,
    poll,
    issue: () => controller.get(Issue, { id: '1' }),
    ids: () => idsOf(controller.get(issues, {})),
    /** A mutation that is sent and has no response yet. */
    send: (name: string, schema: unknown, optimistic?: object) => {
      const sent = mutation(name, schema, optimistic && (() => optimistic));
      ignore(controller.fetch(sent.endpoint, optimistic ?? {}));
      return sent;
    },
    pastTheLimit: async (): Promise<void> => {
      await clock.pass(2.1 * MINUTE);
      controller.set(Issue, { id: 'unrelated' }, { title: 'something settles' });
    },
  };
}

describe('an hour of refetches during a mutation that never ends', () => {
  it('contains changes of others in a row that was changed here, too', async () => {
    const { clock, issue, poll, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    send('hung', Issue, { id: '1', title: 'hung' });
    await send('edit', Issue, { id: '1', status: 'open' }).respond({ id: '1', status: 'open' });
    for (let minute = 1; minute <= 60; minute += 1) {
      await clock.pass(MINUTE);
      await poll([{ id: '1', title: `others ${minute}`, status: 'done', votes: minute }]);
    }
    expect(issue()).toMatchObject({ title: 'others 60', status: 'done', votes: 60 });
  });

  it('shows the rows that others created', async () => {
    const { clock, controller, ids, poll, send } = open();
    await poll([{ id: '1' }]);
    send('create', issues.push, { title: 'hung' });
    for (let minute = 1; minute <= 60; minute += 1) {
      await clock.pass(MINUTE);
      await poll([{ id: '1' }, { id: `of minute ${minute}` }]);
    }
    expect(ids()?.slice(0, 2)).toEqual(['1', 'of minute 60']);
    expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual(['', '', 'hung']);
  });

  it('shows that a row is there again which was deleted here, since a later edit of it was saved', async () => {
    const { clock, ids, poll, send } = open();
    await poll([{ id: '1' }, { id: '2' }]);
    send('hung', new Invalidate(Issue), { id: '1' });
    await send('edit', Issue, { id: '1', title: 'saved' }).respond({ id: '1', title: 'saved' });
    expect(ids()).toEqual(['2']);
    await clock.pass(60 * MINUTE);
    await poll([{ id: '1', title: 'saved' }, { id: '2' }]);
    expect(ids()).toEqual(['1', '2']);
  });
});

describe('the optimistic output of a stalled mutation', () => {
  it('stays over newer responses as it last was', async () => {
    const { issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    send('hung', Issue, { id: '1', title: 'hung' });
    await pastTheLimit();
    await poll([{ id: '1', title: 'b', votes: 7 }]);
    expect(issue()).toMatchObject({ title: 'hung', votes: 7 });
  });

  it('does not run again when its input changes', async () => {
    const { controller, issue, poll, pastTheLimit } = open();
    await poll([{ id: '1', votes: 1 }]);
    const vote = mutation('vote', Issue, (snapshot) => ({
      id: '1',
      votes: (snapshot.get(Issue, { id: '1' })?.votes ?? 0) + 1,
    }));
    const older = manual('older', Issue);
    ignore(controller.fetch(older.endpoint));
    ignore(controller.fetch(vote.endpoint));
    await pastTheLimit();
    await older.respond({ id: '1', votes: 5 });
    expect(issue()?.votes).toBe(2);
  });

  it.each([
    ['before the limit', true],
    ['after the limit', false],
  ])('goes for good when a later edit of the row is saved: %s', async (_, isEarly) => {
    const { clock, controller, issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    const hung = send('hung', Issue, { id: '1', title: 'hung' });
    const titles = new Set<string | undefined>();
    const save = async (): Promise<void> => {
      const saved = send('edit', Issue, { id: '1', title: 'saved' });
      controller.observeQuery(Issue, { id: '1' }).subscribe(() => titles.add(issue()?.title));
      await saved.respond({ id: '1', title: 'saved' });
    };
    if (isEarly) await save();
    await pastTheLimit();
    if (!isEarly) await save();
    await clock.pass(MINUTE);
    controller.set(Issue, { id: 'unrelated' }, { title: 'again' });
    expect(issue()?.title).toBe('saved');
    await hung.fail(new Error('no'));
    expect(issue()?.title).toBe('saved');
    expect([...titles].filter((title) => title !== 'saved')).toEqual([]);
  });

  it('goes as well when the later edit is confirmed by a 204', async () => {
    const { issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    send('hung', Issue, { id: '1', title: 'hung' });
    await pastTheLimit();
    const edit = send('edit', Issue, { id: '1', status: 'done' });
    expect(issue()?.title).toBe('hung');
    await edit.respond(null);
    expect(issue()).toMatchObject({ title: 'a', status: 'done' });
  });

  it('no longer counts in a later increment that is confirmed by a 204', async () => {
    const { controller, issue, poll, pastTheLimit } = open();
    await poll([{ id: '1', votes: 1 }]);
    const vote = () =>
      mutation('vote', Issue, (snapshot) => ({
        id: '1',
        votes: (snapshot.get(Issue, { id: '1' })?.votes ?? 0) + 1,
      }));
    ignore(controller.fetch(vote().endpoint));
    await pastTheLimit();
    const later = vote();
    ignore(controller.fetch(later.endpoint));
    expect(issue()?.votes).toBe(3);
    await later.respond(null);
    expect(issue()?.votes).toBe(2);
  });

  it('goes when the function of a later edit, confirmed by a 204, comes to write the row', async () => {
    const { controller, issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    send('hung', Issue, { id: '1', title: 'hung' });
    await pastTheLimit();
    const older = manual('older', Issue);
    ignore(controller.fetch(older.endpoint));
    const copy = mutation('copy', Issue, (snapshot) => {
      const other = snapshot.get(Issue, { id: '2' });
      if (other === undefined) throw snapshot.abort;
      return { id: '1', votes: other.votes };
    });
    ignore(controller.fetch(copy.endpoint));
    await copy.respond(null);
    expect(issue()).toMatchObject({ title: 'hung', votes: 0 });
    await older.respond({ id: '2', votes: 5 });
    expect(issue()).toMatchObject({ title: 'a', votes: 5 });
  });

  it('stays when an edit is saved that was sent earlier', async () => {
    const { clock, issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    const early = send('early', Issue, { id: '1', title: 'early' });
    await clock.pass(MINUTE);
    send('hung', Issue, { id: '1', title: 'hung' });
    await pastTheLimit();
    await early.respond({ id: '1', title: 'early' });
    expect(issue()?.title).toBe('hung');
  });

  it('goes with its list edits, in lists that are loaded later too', async () => {
    const { controller, ids, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', status: 'open' }]);
    send('hung', new Invalidate(Issue), { id: '1' });
    await pastTheLimit();
    expect(ids()).toEqual([]);
    await send('edit', Issue, { id: '1', title: 'b' }).respond({ id: '1', title: 'b' });
    expect(ids()).toEqual(['1']);
    controller.set(issues, { status: 'open' }, [{ id: '1' }]);
    expect(idsOf(controller.get(issues, { status: 'open' }))).toEqual(['1']);
  });

  it('keeps its edits of other rows', async () => {
    const { controller, issue, poll, pastTheLimit } = open();
    await poll([{ id: '1' }, { id: '2' }]);
    const both = mutation('both', [Issue], () => [
      { id: '1', title: 'hung' },
      { id: '2', title: 'hung' },
    ]);
    ignore(controller.fetch(both.endpoint));
    await pastTheLimit();
    const edit = mutation('edit', Issue);
    ignore(controller.fetch(edit.endpoint));
    await edit.respond({ id: '1', title: 'saved' });
    expect([issue()?.title, controller.get(Issue, { id: '2' })?.title]).toEqual(['saved', 'hung']);
  });
});

describe('requests that reach the time limit together', () => {
  it('are cut in one commit, without a render in between', async () => {
    const { controller, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    send('first', Issue, { id: '1', title: 'first' });
    send('second', issues.push, { title: 'created' });
    await send('edit', Issue, { id: '1', title: 'saved' }).respond({ id: '1', title: 'saved' });
    await poll([{ id: '1', title: 'others' }, { id: '7' }]);
    const shownNow = (): string[] | undefined =>
      controller.get(issues, {})?.map(({ id, title }) => title || id);
    const seen: unknown[] = [];
    controller.observeQuery(issues, {}).subscribe(() => seen.push(shownNow()));
    expect(shownNow()).toEqual(['saved', 'created']);
    await pastTheLimit();
    expect(seen).toEqual([['others', '7', 'created']]);
  });

  it('are cut by a garbage collection, too, which notifies readers', async () => {
    const { clock, controller, poll, send } = open({ sweep: { interval: 3 * MINUTE } });
    await poll([{ id: '1' }]);
    send('create', issues.push, { title: 'hung' });
    await poll([{ id: '1' }, { id: '7' }]);
    const view = controller.observeQuery(issues, {});
    const notified = listen(view);
    await clock.pass(4 * MINUTE);
    expect(notified.count).toBe(1);
    expect(controller.get(issues, {})).toHaveLength(3);
  });
});

describe('a stalled mutation whose response arrives after all', () => {
  it('expires results with its row, so that they are fetched again', async () => {
    const { controller, getList, issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    const view = controller.observe(getList.endpoint, {});
    const hung = send('hung', Issue, { id: '1', title: 'hung' });
    await pastTheLimit();
    await hung.respond({ id: '1', title: 'hung' });
    expect(issue()?.title).toBe('hung');
    expect(view.getSnapshot()).toMatchObject({ stale: true });
  });

  it('says nothing of a row that a later mutation wrote', async () => {
    const { controller, getList, issue, poll, pastTheLimit, send } = open();
    await poll([{ id: '1', title: 'a' }]);
    const hung = send('hung', Issue);
    await send('edit', Issue).respond({ id: '1', title: 'saved' });
    await pastTheLimit();
    await hung.respond({ id: '1', title: 'hung', votes: 3 });
    expect(issue()).toMatchObject({ title: 'saved', votes: 0 });
    expect(controller.observe(getList.endpoint, {}).getSnapshot()).toMatchObject({ stale: true });
  });

  it('a create keeps its row when all else is quiet', async () => {
    const { controller, ids, poll, pastTheLimit, send } = open();
    await poll([{ id: '1' }]);
    const create = send('create', issues.push, { title: 'new' });
    await pastTheLimit();
    await create.respond({ id: '7', title: 'new' });
    expect(ids()).toEqual(['1', '7']);
    expect(controller.get(Issue, { id: '7' })?.title).toBe('new');
  });

  it('a create that others know already, and have edited, enters its lists without undoing the edit', async () => {
    const { controller, ids, poll, pastTheLimit, send } = open();
    await poll([{ id: '1' }]);
    const create = send('create', issues.push, { title: 'new' });
    await pastTheLimit();
    const read = manual('read', Issue);
    ignore(controller.fetch(read.endpoint));
    await read.respond({ id: '7', title: 'new' });
    await send('edit', Issue, { id: '7', title: 'edited' }).respond({ id: '7', title: 'edited' });
    await create.respond({ id: '7', title: 'new' });
    expect(ids()).toEqual(['1', '7']);
    expect(controller.get(Issue, { id: '7' })?.title).toBe('edited');
  });
});

it('a hidden row of a stalled create stays hidden until its response arrives', async () => {
  const { ids, poll, pastTheLimit, send } = open();
  const create = send('create', issues.push, { title: 'new' });
  await poll([{ id: '1' }, { id: '7' }]);
  await pastTheLimit();
  await poll([{ id: '1' }, { id: '7' }, { id: '8' }]);
  expect(ids()).toEqual(['1', '7', '8']);
  await create.respond({ id: '7', title: 'new' });
  expect(ids()).toEqual(['1', '7', '8']);
});

describe('a read that never ends', () => {
  it('is joined by no reader after two minutes: callers and readers send another', async () => {
    const { clock, controller } = open();
    const get = manual('getIssue', Issue);
    ignore(controller.fetch(get.endpoint, { id: '1' }));
    await clock.pass(MINUTE);
    ignore(controller.fetch(get.endpoint, { id: '1' }));
    expect(get.calls).toHaveLength(1);
    await clock.pass(1.1 * MINUTE);
    const again = controller.fetch(get.endpoint, { id: '1' });
    expect(get.calls).toHaveLength(2);
    await get.respond({ id: '1', title: 'here' }, 1);
    await expect(again).resolves.toMatchObject({ title: 'here' });

    ignore(controller.fetch(get.endpoint, { id: '2' }));
    await clock.pass(2.1 * MINUTE);
    const view = controller.observe(get.endpoint, { id: '2' });
    listen(view);
    void view.load();
    await get.respond({ id: '2', title: 'there' }, 3);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready' });
    expect(controller.getResponse(get.endpoint, { id: '2' })).toMatchObject({ title: 'there' });
  });
});

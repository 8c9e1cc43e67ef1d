/** Pages against refetches, creates and deletions, in every order. */
import { Endpoint, Invalidate, type Snapshot } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { openPages, payload, Post, posts } from './support.js';

describe('a further page', () => {
  it('goes to the end of the list of the same other arguments, and of no other', async () => {
    const { seed, page, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' }, { author: 'ann' });
    seed({ ids: ['8'], next: 'x' }, { author: 'bob' });
    seed({ ids: ['9'], next: 'y' });
    await page({ author: 'ann' }).respond({ ids: ['3', '4'], next: 'c' });
    expect(shownNow({ author: 'ann' })).toBe('1 2 3 4 →c');
    expect(shownNow({ author: 'bob' })).toBe('8 →x');
    expect(shownNow()).toBe('9 →y');
  });

  it('shows nothing twice: what responses brought before stays where it is', async () => {
    const { seed, page, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['3', '1', '4', '4'], next: 'c' });
    expect(shownNow()).toBe('1 2 3 4 →c');
    await page({ page: 'c' }).respond({ ids: ['3', '5', '1'], next: 'd' });
    expect(shownNow()).toBe('1 2 3 4 5 →d');
  });

  it('without members still brings the cursor, and tells readers', async () => {
    const { seed, page, shownNow, controller, getList } = openPages();
    seed({ ids: ['1'], next: 'b' });
    const before = controller.getResponse(getList);
    let notified = 0;
    const stop = controller.observe(getList, undefined).subscribe(() => notified++);
    await page().respond({ ids: [], next: null });
    stop();
    expect(notified).toBe(1);
    expect(shownNow()).toBe('1 →end');
    expect(controller.getResponse(getList)?.results).toBe(before?.results);
  });

  it('that lacks a field beside the list takes it away', async () => {
    const { controller, getList } = openPages();
    const next = getList.extend({
      key: () => 'next',
      fetch: async () => ({ results: [{ id: '2' }] }),
      schema: { results: getList.schema.results.paginated('page') },
    });
    controller.setResponse(getList, undefined, payload({ ids: ['1'], next: 'b' }) as object);
    await controller.fetch(next, { page: 2 });
    const current = controller.getResponse(getList, undefined);
    expect(current?.results).toHaveLength(2);
    expect(Object.keys(current ?? {})).toEqual(['results']);
  });

  it('of a list that is not known makes none', async () => {
    const { page, controller } = openPages();
    await page({ author: 'ann' }).respond({ ids: ['3'], next: 'c' });
    expect(controller.get(posts, { author: 'ann' })).toBeUndefined();
  });
});

describe('a page against a refetch', () => {
  it('that began later and came first is appended, not wiped out', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const further = page();
    await list().respond({ ids: ['1', '2'], next: 'b' });
    await further.respond({ ids: ['3'], next: 'c' });
    expect(shownNow()).toBe('1 2 3 →c');
  });

  it('that began earlier and comes later stays behind it', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const refetch = list();
    await page().respond({ ids: ['3'], next: 'c' });
    await refetch.respond({ ids: ['1', '0', '2'], next: 'b' });
    expect(shownNow()).toBe('1 0 2 3 →c');
  });

  it('that still ends where the pages begin keeps them and their cursor', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['4', '5'], next: 'c' });
    await page().respond({ ids: ['6'], next: 'd' });
    await list().respond({ ids: ['1', '3', '5'], next: 'e' });
    expect(shownNow()).toBe('1 3 5 4 6 →d');
    await list().respond({ ids: ['5', '9'], next: 'e' });
    expect(shownNow()).toBe('5 9 4 6 →d');
  });

  it('that does not truncates the list and takes the new cursor', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['4', '5'], next: 'c' });
    await list().respond({ ids: ['0', '1', '2'], next: 'b2' });
    expect(shownNow()).toBe('0 1 2 →b2');
  });

  it('that is equal changes nothing and tells nobody', async () => {
    const { seed, page, list, controller, getList } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['3'], next: 'c' });
    const before = controller.getResponse(getList, undefined);
    let notified = 0;
    const stop = controller.observe(getList, undefined).subscribe(() => notified++);
    await list().respond({ ids: ['1', '2'], next: 'b' });
    stop();
    expect(notified).toBe(0);
    expect(controller.getResponse(getList, undefined)).toBe(before);
  });

  it('the first page is what the last whole answer held: what was pushed after it is none of it', async () => {
    const { seed, page, list, create, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await create({ id: '9' }).created({ id: '9' });
    await create({ id: '0' }, 'unshift').created({ id: '0' });
    await page().respond({ ids: ['3', '9'], next: 'c' });
    // A response says where it stands.
    expect(shownNow()).toBe('0 1 2 3 9 →c');
    await list().respond({ ids: ['0', '1', '2'], next: 'b' });
    expect(shownNow()).toBe('0 1 2 3 9 →c');
  });

  it('the last member of the first page may have been deleted', async () => {
    const { seed, page, list, remove, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['4'], next: 'c' });
    await remove('3').created({ id: '3' });
    expect(shownNow()).toBe('1 2 4 →c');
    await list().respond({ ids: ['1', '2', '4'], next: 'b' });
    expect(shownNow()).toBe('1 2 4 →c');
    await remove('4').created({ id: '4' });
    await page().respond({ ids: ['5'], next: 'd' });
    await list().respond({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 5 →d');
    await remove('2').created({ id: '2' });
    await list().respond({ ids: ['1'], next: 'b' });
    expect(shownNow()).toBe('1 5 →d');
  });

  it.each([
    ['alone', false],
    ['beside a request that hangs', true],
  ])('the first page ends where it ended before what was unshifted: %s', async (_, hangs) => {
    const { seed, page, list, create, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['3'], next: 'c' });
    if (hangs) list();
    for (const id of ['8', '9']) await create({ id }, 'unshift').created({ id });
    expect(shownNow()).toBe('9 8 1 2 3 →c');
    await list().respond({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 3 →c');
  });

  it('the first page ends with the same member wherever a class places others', async () => {
    const { seed, page, list, shownNow, controller } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['3'], next: 'c' });
    const first = posts.addWith((existing, incoming) => [...incoming, ...existing]);
    controller.set(first, {}, { id: '8' });
    await list().respond({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 3 →c');
    // Without that member it is as long as before.
    const instead = posts.addWith((existing, incoming) => [
      ...existing.filter((id) => id !== '2'),
      ...incoming,
    ]);
    controller.set(instead, {}, { id: '9' });
    expect(shownNow()).toBe('1 3 9 →c');
    await list().respond({ ids: ['3', '1'], next: 'b' });
    expect(shownNow()).toBe('3 1 9 →c');
  });

  it.each(['unshift', 'push'] as const)(
    'brings what a page brought too, where a first page no longer holds it: %s',
    async (at) => {
      const { seed, page, list, create, shownNow } = openPages();
      seed({ ids: ['2'], next: 'b' });
      await create({ id: '1' }, at).created({ id: '1' });
      await page().respond({ ids: ['1'], next: null });
      expect(shownNow()).toBe(at === 'push' ? '2 1 →end' : '1 2 →end');
      await list().respond({ ids: ['2'], next: 'b' });
      expect(shownNow()).toBe('2 1 →end');
    },
  );

  it('shows a row where a page brought it once the first page does not hold it any more', async () => {
    const { seed, page, list, remove, shownNow } = openPages();
    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['4', '1', '5'], next: 'c' });
    await page().respond({ ids: ['2', '6'], next: 'd' });
    expect(shownNow()).toBe('1 2 3 4 5 6 →d');
    await list().respond({ ids: ['2', '3', '4'], next: 'b' });
    expect(shownNow()).toBe('2 3 4 1 5 6 →d');
    await list().respond({ ids: ['3', '7'], next: 'b' });
    expect(shownNow()).toBe('3 7 →b');

    seed({ ids: ['1', '2', '3'], next: 'b' });
    await page().respond({ ids: ['4', '1', '5'], next: 'c' });
    await remove('1').created({ id: '1' });
    await list().respond({ ids: ['2', '3'], next: 'b' });
    expect(shownNow()).toBe('2 3 4 5 →c');
  });

  it('shows none of what a class left out of the list since', async () => {
    const { controller, seed, page, list, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['1', '3'], next: 'c' });
    const only = posts.addWith((existing, incoming) => [...existing.slice(1), ...incoming]);
    controller.set(only, {}, { id: '9' });
    expect(shownNow()).toBe('2 3 9 →c');
    await list().respond({ ids: ['2'], next: 'b' });
    expect(shownNow()).toBe('2 3 9 →c');
  });

  it('shows it there also in a list that came from elsewhere', async () => {
    const here = openPages();
    here.seed({ ids: ['1', '2'], next: 'b' });
    await here.page().respond({ ids: ['1', '3'], next: 'c' });
    await here.create({ id: '9' }, 'unshift').created({ id: '9' });
    const there = openPages();
    hydrate(there.controller, getState(here.controller));
    expect(there.shownNow()).toBe('9 1 2 3 →c');
    there.seed({ ids: ['0', '2'], next: 'b' });
    expect(there.shownNow()).toBe('0 2 1 3 →c');
  });

  it('that ends behind what was added alone truncates the list: what was added may stand anywhere', async () => {
    const { seed, page, list, create, remove, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    await page().respond({ ids: ['4', '5'], next: 'c' });
    await remove('1').created({ id: '1' });
    for (const id of ['9', '8']) await create({ id }, 'unshift').created({ id });
    expect(shownNow()).toBe('8 9 4 5 →c');
    // The server has 9 before 8.
    await list().respond({ ids: ['9'], next: 'd' });
    expect(shownNow()).toBe('9 →d');
  });

  it('a failed page leaves no trace', async () => {
    const { seed, page, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    await page().fail();
    expect(shownNow()).toBe('1 →b');
  });

  it('is not delayed by a request that hangs', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    list();
    await page().respond({ ids: ['2'], next: 'c' });
    expect(shownNow()).toBe('1 2 →c');
    await list().respond({ ids: ['0', '1'], next: 'b' });
    await list().respond({ ids: ['1'], next: 'b' });
    expect(shownNow()).toBe('1 2 →c');
  });

  it('of a list that was invalidated does not come back; of one that was expired it stays', async () => {
    const { seed, page, list, shownNow, controller, getList } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    await page().respond({ ids: ['3'], next: 'c' });
    controller.expireAll(getList);
    await list().respond({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 3 →c');
    void controller.invalidate(getList, undefined);
    expect(shownNow()).toBeUndefined();
    expect(controller.get(posts, {})).toHaveLength(3);
    seed({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 →b');
  });

  it('of a list that was invalidated while it showed an error does not come back', async () => {
    const { seed, page, shownNow, controller, getList } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    controller.setError(getList, undefined, new Error('no'));
    await page().respond({ ids: ['3'], next: 'c' });
    void controller.invalidate(getList, undefined);
    seed({ ids: ['1', '2'], next: 'b' });
    expect(shownNow()).toBe('1 2 →b');
  });

  it('is gone with a refetch that did not join it, whatever later ones say, also while a request hangs', async () => {
    const { seed, page, list, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    list();
    await page().respond({ ids: ['2'], next: 'c' });
    await list().respond({ ids: ['9'], next: 'd' });
    await list().respond({ ids: ['1'], next: 'e' });
    expect(shownNow()).toBe('1 →e');
  });

  it('is so too where the page came before that request, and stays where all refetches join it', async () => {
    for (const ids of [['9'], ['0', '1']]) {
      const { seed, page, list, shownNow } = openPages();
      seed({ ids: ['1'], next: 'b' });
      await page().respond({ ids: ['2'], next: 'c' });
      list();
      await list().respond({ ids, next: 'd' });
      await list().respond({ ids, next: 'd' });
      await list().respond({ ids: ['1'], next: 'e' });
      await list().respond({ ids: ['1'], next: 'e' });
      expect(shownNow()).toBe(ids.includes('1') ? '1 2 →c' : '1 →e');
    }
  });
});

describe('a page against the first answer of its list', () => {
  it('is not lost when it comes first', async () => {
    const { controller, getList, page, shownNow } = openPages();
    let respond: (value: unknown) => void = () => {};
    const first = getList.extend({
      key: () => getList.key(undefined),
      fetch: () => new Promise((resolve) => (respond = resolve)),
    });
    const reading = controller.fetch(first);
    await page().respond({ ids: ['2'], next: 'c' });
    respond(payload({ ids: ['1'], next: 'b' }));
    await reading;
    expect(shownNow()).toBe('1 2 →c');
  });
});

describe('a page against creates and deletions', () => {
  it.each(['page', 'list'] as const)(
    'loses no row that was created while it was under way, though a refetch knows nothing of it: the %s comes first',
    async (which) => {
      const { seed, page, list, create, remove, shownNow } = openPages();
      seed({ ids: ['1', '2'], next: 'b' });
      const creations = ['8', '9'].map((id) => create({ id }));
      const further = page();
      await creations[0]?.created({ id: '8' });
      await creations[1]?.created({ id: '9' });
      await remove('8').created({ id: '8' });
      const refetch = list();
      if (which === 'page') await further.respond({ ids: ['3'], next: null });
      await refetch.respond({ ids: ['1', '2'], next: 'b' });
      if (which === 'list') await further.respond({ ids: ['3'], next: null });
      expect(shownNow()).toBe('1 2 3 9 →end');
    },
  );

  it('brings along what was created, though a delete of it is pending, which then fails', async () => {
    const { controller, seed, page, list, create, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const further = page();
    await create({ id: '8' }).created({ id: '8' });
    let fail: (error: Error) => void = () => {};
    const remove = new Endpoint(
      (_: { id: string }) => new Promise((_resolve, reject) => (fail = reject)),
      {
        name: 'remove',
        sideEffect: true,
        schema: new Invalidate(Post),
        getOptimisticResponse: () => ({ id: '8' }),
      },
    );
    const outcome = controller.fetch(remove, { id: '8' });
    await list().respond({ ids: ['1', '2'], next: 'b' });
    await further.respond({ ids: ['3'], next: null });
    expect(shownNow()).toBe('1 2 3 →end');
    fail(new Error('no'));
    await expect(outcome).rejects.toThrow('no');
    expect(shownNow()).toBe('1 2 3 8 →end');
  });

  it('does not bring back a row that was deleted meanwhile', async () => {
    const { seed, page, remove, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    const further = page();
    await remove('3').created({ id: '3' });
    await further.respond({ ids: ['2', '3'], next: 'c' });
    expect(shownNow()).toBe('1 2 →c');
  });

  it.each([
    ['a delete', ['2', '3']],
    ['a create', ['2']],
  ])(
    'reaches an optimistic function without %s that was sent after the function and confirmed before the page',
    async (which, ids) => {
      const { controller, seed, page, start, create, remove } = openPages();
      controller.set(Post, { id: '8' }, { id: '8' });
      seed({ ids: ['1'], next: 'b' });
      const further = page();
      const count = start(
        Post,
        { id: '1' },
        {
          sideEffect: true,
          getOptimisticResponse: (snapshot: Snapshot) => ({
            id: '1',
            title: String(snapshot.get(posts)?.length),
          }),
        },
      );
      const later = which === 'a delete' ? remove('3') : create({ id: '8' });
      await later.created({ id: which === 'a delete' ? '3' : '8' });
      const view = controller.observeQuery(Post, { id: '1' });
      view.getSnapshot();
      let notified = 0;
      view.subscribe(() => notified++);
      await further.respond({ ids, next: 'c' });
      expect(controller.get(Post, { id: '1' })?.title).toBe(String(1 + ids.length));
      expect(notified).toBe(1);
      await count.fail();
      expect(controller.get(Post, { id: '1' })?.title).toBe('1');
    },
  );

  it('shows no created row twice: what may be that row waits for the create', async () => {
    const { seed, page, create, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    const creation = create({ title: 'new' });
    await page().respond({ ids: ['2', '7'], next: 'c' });
    expect(shownNow()).toBe('1 new →c');
    await creation.created({ id: '7', title: 'new' });
    expect(shownNow()).toBe('1 2 7 →c');
  });

  it('shows no created row twice in a page that was asked for before the create', async () => {
    const { seed, page, create, shownNow } = openPages();
    seed({ ids: ['1'], next: 'b' });
    const further = page();
    const creation = create({ title: 'new' });
    await further.respond({ ids: ['2', '7'], next: 'c' });
    expect(shownNow()).toBe('1 new →c');
    await creation.created({ id: '7', title: 'new' });
    expect(shownNow()).toBe('1 2 7 →c');
  });
});

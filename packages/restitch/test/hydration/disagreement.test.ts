import { All, Collection, Controller, Endpoint, Entity, indexBy, type StoreState } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
  motto = '';
  static override key = 'User';
  static override indexes = indexBy('name');
}

class Issue extends Entity {
  id = '';
  author = User.fromJS({});
  static override key = 'Issue';
  static override schema = { author: User };
}

const getIssues = new Endpoint(async (): Promise<unknown> => [], {
  name: 'getIssues',
  schema: new Collection([Issue]),
});
const getUser = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), {
  name: 'getUser',
  schema: User,
});
const allUsers = new All(User);

const ann = { id: 'a', name: 'Ann' };
const anne = { id: 'a', name: 'Anne', motto: 'Later is better.' };

/** A server that renders a list, and then gets another response for the same page. */
function server() {
  const controller = new Controller();
  controller.setResponse(getIssues, [{ id: '1', author: ann }]);
  return controller;
}

/** The browser's controller, filled from that of the server, by way of JSON. */
function browser(...states: StoreState[]) {
  const controller = new Controller();
  for (const state of states) hydrate(controller, JSON.parse(JSON.stringify(state)));
  return controller;
}

type Shown = { readonly status: string; readonly data?: unknown };
const dataOf = (snapshot: Shown): unknown => snapshot.data;

describe('a page that was rendered before its last response', () => {
  it('is hydrated as it was rendered, and shows the last response then', () => {
    const there = server();
    const rendered = there.observe(getIssues).getServerSnapshot(true);
    there.setResponse(getUser, { id: 'a' }, anne);
    const late = there.observe(getUser, { id: 'a' }).getServerSnapshot(true);
    const here = browser(getState(there));
    const list = here.observe(getIssues);
    expect(dataOf(list.getServerSnapshot())).toEqual(dataOf(rendered));
    expect(dataOf(list.getSnapshot())).toMatchObject([{ author: anne }]);
    const user = here.observe(getUser, { id: 'a' });
    expect(dataOf(user.getServerSnapshot())).toEqual(dataOf(late));
    // It is what is there now, not a copy.
    expect(user.getServerSnapshot()).toBe(user.getSnapshot());
  });

  it('keeps what it lacked: a member, a record, a row among all', () => {
    const there = server();
    const views = (controller: Controller) => [
      controller.observe(getIssues),
      controller.observeQuery(User, { id: 'b' }),
      controller.observeQuery(allUsers),
    ];
    const rendered = views(there).map((view) => dataOf(view.getServerSnapshot(true)));
    there.setResponse(getUser, { id: 'b' }, { id: 'b', name: 'Bob' });
    there.set(Issue, { id: '1' }, { author: 'b' });
    const here = browser(getState(there));
    expect(views(here).map((view) => dataOf(view.getServerSnapshot()))).toEqual(rendered);
    expect(views(here).map((view) => dataOf(view.getSnapshot()))).toMatchObject([
      [{ author: { name: 'Bob' } }],
      { name: 'Bob' },
      [{ name: 'Ann' }, { name: 'Bob' }],
    ]);
  });

  it('says nothing of it where nothing differs, and where no reader rendered', () => {
    const there = server();
    there.observe(getIssues).getServerSnapshot(true);
    there.setResponse(getUser, { id: 'b' }, { id: 'b', name: 'Bob' });
    expect(getState(there)).not.toHaveProperty('rendered');
    there.observe(getUser, { id: 'b' }).getServerSnapshot();
    there.setResponse(getUser, { id: 'b' }, { id: 'b', name: 'Robert' });
    expect(getState(there)).not.toHaveProperty('rendered');
  });

  it('is taken over as it was rendered whatever is written here before', () => {
    const there = server();
    const views = (controller: Controller) => [
      controller.observe(getIssues),
      controller.observeQuery(User, { name: 'Ann' }),
      controller.observeQuery(allUsers),
    ];
    const rendered = views(there).map((view) => dataOf(view.getServerSnapshot(true)));
    const here = browser(getState(there));
    const before = views(here).map((view) => view.getSnapshot());
    // What did not change is not built anew: taking it over renders nothing again.
    views(here).forEach((view, index) => expect(view.getServerSnapshot()).toBe(before[index]));
    here.set(User, { id: 'a' }, { motto: 'Changed.' });
    here.set(User, { id: 'c' }, { name: 'Ann' });
    expect(views(here).map((view) => dataOf(view.getServerSnapshot()))).toEqual(rendered);
    expect(dataOf(here.observeQuery(allUsers).getSnapshot())).toMatchObject([
      { motto: 'Changed.' },
      { id: 'c' },
    ]);
  });

  it('is taken over as it was rendered last', () => {
    const there = server();
    there.observe(getIssues).getServerSnapshot(true);
    there.setResponse(getUser, { id: 'a' }, anne);
    // React tries a component again that waited for something else.
    there.observe(getIssues).getServerSnapshot(true);
    expect(getState(there)).not.toHaveProperty('rendered');
  });

  it('is taken over as each part was rendered, however often its rows changed since', () => {
    const there = server();
    const getOwner = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), {
      name: 'getOwner',
      schema: User,
    });
    const views = (controller: Controller) => [
      controller.observe(getUser, { id: 'a' }),
      controller.observe(getOwner, { id: 'a' }),
      controller.observeQuery(User, { id: 'a' }),
      controller.observeQuery(User, { name: 'Annie' }),
    ];
    const rename = (name: string): void => there.set(User, { id: 'a' }, { name });
    there.setResponse(getUser, { id: 'a' }, ann);
    there.setResponse(getOwner, { id: 'a' }, ann);
    const rendered = views(there).map((view, index) => {
      const { data } = view.getServerSnapshot(true) as { data?: unknown };
      rename(['Anne', 'Anna', 'Annie', 'Antje'][index] ?? '');
      return data;
    });
    rename('Antonia');
    expect(rendered).toMatchObject(['Ann', 'Anne', 'Anna', 'Annie'].map((name) => ({ name })));
    const here = browser(getState(there));
    const served = views(here).map((view) => dataOf(view.getServerSnapshot()));
    expect(served).toEqual(rendered);
  });

  it('distinguishes a record that it did not know from a deleted one', () => {
    const there = new Controller();
    there.setResponse(getIssues, [{ id: '1', author: 'z' }]);
    const rendered = there.observe(getIssues).getServerSnapshot(true);
    expect(dataOf(rendered)).toMatchObject([{ id: '1', author: { name: '' } }]);
    there.set(User, { id: 'z' }, { name: 'Zoe' });
    const list = browser(getState(there)).observe(getIssues);
    expect(dataOf(list.getServerSnapshot())).toEqual(dataOf(rendered));
    expect(dataOf(list.getSnapshot())).toMatchObject([{ author: { name: 'Zoe' } }]);
  });

  it('shows what JSON cannot carry as it is now', () => {
    const there = new Controller();
    there.set(User, { id: 'a' }, { ...ann, draw: () => {} });
    there.observeQuery(User, { id: 'a' }).getServerSnapshot(true);
    there.set(User, { id: 'a' }, anne);
    const view = browser(getState(there)).observeQuery(User, { id: 'a' });
    expect(dataOf(view.getServerSnapshot())).toMatchObject(anne);
  });

  it('distinguishes records of one class from those of another, be their keys the same', () => {
    const there = server();
    there.setResponse(getIssues, [{ id: 'a', author: ann }]);
    const rendered = there.observe(getIssues).getServerSnapshot(true);
    there.set(User, { id: 'a' }, anne);
    there.set(Issue, { id: 'a' }, { note: 'Changed.' });
    const view = browser(getState(there)).observe(getIssues);
    expect(dataOf(view.getServerSnapshot())).toEqual(dataOf(rendered));
  });

  it('distinguishes all records of one class from those of another', () => {
    const there = server();
    const everything = { issues: new All(Issue), users: allUsers };
    const rendered = there.observeQuery(everything).getServerSnapshot(true);
    there.setResponse(getIssues, [{ id: '2', author: { id: 'b', name: 'Bob' } }]);
    const view = browser(getState(there)).observeQuery(everything);
    expect(dataOf(view.getServerSnapshot())).toEqual(dataOf(rendered));
  });
});

describe('hydrated data', () => {
  const getText = new Endpoint(async (): Promise<unknown> => '', { name: 'getText' });

  it('is taken over where a response changed before, records in it or not', () => {
    const there = server();
    there.setResponse(getText, 'brought');
    const here = browser(getState(there));
    here.setResponse(getText, 'here');
    here.setResponse(getIssues, []);
    expect(dataOf(here.observe(getText).getServerSnapshot())).toBe('brought');
    expect(dataOf(here.observe(getIssues).getServerSnapshot())).toMatchObject([{ author: ann }]);
    expect(dataOf(here.observe(getText).getSnapshot())).toBe('here');
  });

  it('is taken over in a result that contains it, and in no other result', () => {
    const here = browser(getState(server()));
    here.set(User, { id: 'own' }, { name: 'Own' });
    const both = here.observeQuery([User], ['own', 'a']);
    const own = here.observeQuery(User, { id: 'own' });
    const other = here.observe(getUser, { id: 'other' });
    here.set(User, { id: 'a' }, anne);
    expect(dataOf(both.getServerSnapshot())).toMatchObject([{ name: 'Own' }, ann]);
    expect(own.getServerSnapshot()).toBe(own.getSnapshot());
    expect(other.getServerSnapshot()).toEqual({ status: 'pending' });
    expect(here.observe(getText).getServerSnapshot()).toEqual({ status: 'pending' });
  });

  it('is taken over while it is taken away or stale here', () => {
    const here = browser(getState(server()));
    const list = here.observe(getIssues);
    expect(list.getSnapshot()).toBe(list.getServerSnapshot());
    here.expireAll(getIssues);
    expect(list.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(list.getServerSnapshot()).toMatchObject({ status: 'ready', stale: false });
    void here.invalidate(getIssues);
    expect(list.getSnapshot()).toMatchObject({ status: 'pending' });
    expect(dataOf(list.getServerSnapshot())).toMatchObject([{ author: ann }]);
  });

  it('is whole, however deep a record is nested', () => {
    class Step extends Entity {
      id = '';
      next: Step | undefined = undefined;
      static override key = 'Step';
      static override schema: Record<string, unknown> = {};
    }
    Step.schema = { next: Step };
    const there = new Controller();
    const count = 150;
    for (let id = 1; id <= count; id += 1) there.set(Step, { id }, { next: id + 1 });
    const here = browser(getState(there));
    const first = here.observeQuery(Step, { id: '1' });
    here.set(Step, { id: '1' }, { note: 'changed' });
    let length = 0;
    const { data } = first.getServerSnapshot() as { data?: Step };
    for (let step = data; step; step = step.next) length += 1;
    expect(length).toBe(count);
  });
});

import { All, Collection, Controller, Endpoint, Entity, type StoreState } from 'restitch';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
  motto = '';
  static override key = 'User';
  static override indexes = ['name'];
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

/** A server that renders a list, and then gets another answer for the same page. */
function server() {
  const controller = new Controller();
  controller.setResponse(getIssues, [{ id: '1', author: ann }]);
  return controller;
}

/** The browser's controller, filled from that of the server, by way of JSON. */
function browser(...states: StoreState[]) {
  const controller = new Controller();
  for (const state of states) controller.hydrate(JSON.parse(JSON.stringify(state)));
  return controller;
}

type Shown = { readonly status: string; readonly data?: unknown };
const dataOf = (snapshot: Shown): unknown => snapshot.data;

describe('a page that was rendered before its last answer', () => {
  it('is taken over as it was rendered, and shows the last answer then', () => {
    const there = server();
    const rendered = there.observe(getIssues).getServerSnapshot(true);
    there.setResponse(getUser, { id: 'a' }, anne);
    const late = there.observe(getUser, { id: 'a' }).getServerSnapshot(true);
    const here = browser(there.getState());
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
    const here = browser(there.getState());
    expect(views(here).map((view) => dataOf(view.getServerSnapshot()))).toEqual(rendered);
    expect(views(here).map((view) => dataOf(view.getSnapshot()))).toMatchObject([
      [{ author: { name: 'Bob' } }],
      { name: 'Bob' },
      [{ name: 'Ann' }, { name: 'Bob' }],
    ]);
  });

  it('says nothing of it where nothing differs, and where nobody rendered', () => {
    const there = server();
    there.observe(getIssues).getServerSnapshot(true);
    there.setResponse(getUser, { id: 'b' }, { id: 'b', name: 'Bob' });
    expect(there.getState()).not.toHaveProperty('rendered');
    there.observe(getUser, { id: 'b' }).getServerSnapshot();
    there.setResponse(getUser, { id: 'b' }, { id: 'b', name: 'Robert' });
    expect(there.getState()).not.toHaveProperty('rendered');
  });

  it('is taken over as it was rendered whatever is written here before', () => {
    const there = server();
    const views = (controller: Controller) => [
      controller.observe(getIssues),
      controller.observeQuery(User, { name: 'Ann' }),
      controller.observeQuery(allUsers),
    ];
    const rendered = views(there).map((view) => dataOf(view.getServerSnapshot(true)));
    const here = browser(there.getState());
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
    expect(there.getState()).not.toHaveProperty('rendered');
  });
});

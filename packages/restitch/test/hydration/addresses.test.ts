/** A server may reach an API at another address than the browser. */
import { Controller, Entity, resource, RestEndpoint, type StoreState } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'AddressedUser';
}

const usersAt = (urlPrefix: string, service?: string) =>
  resource({ path: '/users/:id', schema: User, urlPrefix, ...(service && { service }) });

function transferred(server: Controller): StoreState {
  return JSON.parse(JSON.stringify(getState(server)));
}

/** A server that fetched a list and a record. */
function served(Users: ReturnType<typeof usersAt>): StoreState {
  const server = new Controller();
  server.setResponse(Users.getList, [{ id: '1', name: 'Ann' }] as never);
  server.setResponse(Users.get, { id: '1' }, { id: '1', name: 'Ann' } as never);
  return transferred(server);
}

function open(state: StoreState) {
  const reports: { code?: string; message: string }[] = [];
  const controller = new Controller({
    environment: { report: (error) => reports.push(error as Error) },
  });
  hydrate(controller, state);
  return { controller, reports };
}

it.each([
  ['http://api.internal', '/api'],
  ['http://127.0.0.1:3000', ''],
  ['', 'https://example.com'],
  ['http://api.internal/v1', 'https://example.com/api'],
])('state from %j is not read at %j, and development says why, once', (there, here) => {
  const Users = usersAt(here);
  const { controller, reports } = open(served(usersAt(there)));
  expect(controller.observe(Users.getList).needsLoad()).toBe(true);
  expect(controller.observe(Users.get, { id: '2' }).needsLoad()).toBe(true);
  expect(reports.map(({ code }) => code)).toEqual(['other-prefix']);
  expect(reports[0]?.message).toContain(`GET ${here}/users`);
  expect(reports[0]?.message).toContain(`GET ${there}/users`);
});

it('another path of the same host is not reported, although it ends alike', () => {
  const { controller, reports } = open(served(usersAt('http://host/teams/a')));
  expect(controller.observe(usersAt('http://host').getList).needsLoad()).toBe(true);
  expect(reports).toEqual([]);
});

it('a `service` stands for both addresses: all of it is read, without a request or a report', () => {
  const Users = usersAt('/api', 'users');
  const { controller, reports } = open(served(usersAt('http://api.internal', 'users')));
  const list = controller.observe(Users.getList);
  expect(list.getSnapshot()).toMatchObject({ status: 'ready', data: [{ name: 'Ann' }] });
  expect(list.needsLoad()).toBe(false);
  expect(controller.observe(Users.get, { id: '1' }).needsLoad()).toBe(false);
  expect(reports).toEqual([]);
});

it.each([
  ['/admin', ''],
  ['', '/admin'],
])(
  'two paths without a host, %j and %j, are two questions of which nothing is said',
  (one, other) => {
    const { controller, reports } = open(served(usersAt(one)));
    expect(controller.observe(usersAt(other).getList).needsLoad()).toBe(true);
    expect(reports).toEqual([]);
  },
);

it('another path at another address is not reported either', () => {
  const { controller, reports } = open(served(usersAt('http://api.internal')));
  const getPets = new RestEndpoint({ urlPrefix: '/api', path: '/pets' });
  controller.getResponse(getPets);
  expect(reports).toEqual([]);
});

it('another endpoint of the same URL is no other address', () => {
  const read = new RestEndpoint({ urlPrefix: 'http://api.internal', path: '/names' });
  const server = new Controller();
  server.setResponse(read, ['Ann'] as never);
  const { controller, reports } = open(transferred(server));
  expect(controller.getResponse(read)).toEqual(['Ann']);
  const count = read.extend({ process: (names: readonly string[]) => names.length });
  expect(controller.observe(count).needsLoad()).toBe(true);
  expect(reports).toEqual([]);
});

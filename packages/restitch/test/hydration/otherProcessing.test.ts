/** Endpoints with one cache key and schema that process responses differently, in another program. */
import { Controller, Endpoint, RestEndpoint } from 'restitch';
import { dehydrate, hydrate as hydratePage } from 'restitch/ssr';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
const MESSAGES = [
  { id: '1', title: 'Hello' },
  { id: '2', title: 'World' },
];
beforeEach(() => {
  server.respond(() => MESSAGES);
});
const { origin: urlPrefix } = server;

const getMessages = new RestEndpoint({ urlPrefix, path: '/messages' });
const getUnread = getMessages.extend({ process: (value: unknown[]) => value.length });
const getText = getMessages.extend({ content: 'text' });

class Titles extends RestEndpoint {
  declare readonly lang: string;

  override process(value: unknown[]): string {
    return `${value.length} titles in ${this.lang}`;
  }
}
const titlesIn = (lang: string) => new Titles({ urlPrefix, path: '/titles', lang } as never);
const label = new Endpoint(
  async function (this: { readonly lang: string }, id: number) {
    return `${this.lang} ${id}`;
  },
  { name: 'label', lang: 'none' },
);

const both = [
  ['getState', getState, hydrate],
  ['dehydrate', dehydrate, hydratePage],
] as const;

describe.each(both)('an endpoint does not take from the state of %s', (_, save, load) => {
  it.each<[string, unknown, unknown, readonly unknown[], unknown]>([
    ['what another `process` made', getUnread, getMessages, [], MESSAGES],
    ['what another `content` read', getUnread, getText, [], JSON.stringify(MESSAGES)],
    ['what `process` made of another member', titlesIn('de'), titlesIn('en'), [], '2 titles in en'],
    [
      'what its function made of another member',
      label.extend({ lang: 'de' }),
      label.extend({ lang: 'en' }),
      [1],
      'en 1',
    ],
  ])('%s', async (_, stored, read, args, expected) => {
    const first = new Controller();
    // The casts: the endpoints of the table have unlike parameters.
    await first.fetch(stored as Endpoint, ...args);
    const state = JSON.parse(JSON.stringify(save(first))) as ReturnType<typeof getState>;
    const next = new Controller({ environment: { report: () => {} } });
    load(next, state);
    expect(next.getResponse(read as Endpoint, ...args)).toBeUndefined();
    expect(await next.fetchIfStale(read as Endpoint, ...args)).toEqual(expected);
    expect(next.getResponse(stored as Endpoint, ...args)).toEqual(
      first.getResponse(stored as Endpoint, ...args),
    );
  });
});

it('results of endpoints that differ in a member are all exported', async () => {
  const first = new Controller();
  for (const lang of ['de', 'en']) await first.fetch(titlesIn(lang));
  const next = new Controller();
  hydrate(next, JSON.parse(JSON.stringify(getState(first))));
  const shown = ['de', 'en'].map((lang) => next.getResponse(titlesIn(lang)));
  expect(shown).toEqual(['2 titles in de', '2 titles in en']);
});

it('exported state does not show the members of an endpoint', async () => {
  const token = 'secret-of-this-user';
  const get = getUnread.extend({ token } as object) as unknown as Endpoint;
  const controller = new Controller();
  await controller.fetch(get);
  expect(getState(controller).results).toHaveLength(1);
  expect(JSON.stringify(getState(controller))).not.toContain(token);
});

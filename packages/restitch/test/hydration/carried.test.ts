/** Values that JSON cannot carry: a browser gets them as they were, or asks again. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  RestEndpoint,
  type StoreState,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';

const transferred = (controller: Controller): StoreState =>
  JSON.parse(JSON.stringify(getState(controller)));

/** A controller that was given what another one exported after a change. */
function browserAfter(change: (server: Controller) => void): Controller {
  const server = new Controller();
  change(server);
  const browser = new Controller();
  hydrate(browser, transferred(server));
  return browser;
}

function next(last: Controller): Controller {
  const controller = new Controller();
  hydrate(controller, transferred(last));
  return controller;
}

class Site extends Entity {
  id = '';
  name = '';
  address: unknown = undefined;
  static override key = 'CarriedSite';
}
class Page extends Entity {
  id = '';
  site: Site | undefined = undefined;
  static override key = 'CarriedPage';
  static override schema: Record<string, unknown> = { site: Site };
}
class Folder extends Entity {
  id = '';
  pages: Page[] = [];
  static override key = 'CarriedFolder';
  static override schema = { pages: new Collection([Page]) };
}

const named = <S>(name: string, schema: S) =>
  new Endpoint(async (_: object): Promise<any> => null, { name, schema });
const getSite = named('getSite', Site);
const getPage = named('getPage', Page);
const getFolder = named('getFolder', Folder);
const getSites = named('getSites', new Collection([Site]));
const getPair = named('getPair', [Site]);
const getTotal = named('getTotal', { sites: new Collection([Site]) });
const getEither = named('getEither', new Union({ site: Site }, () => 'site'));
const getPlain = named('getPlain', undefined);

const lost: [name: string, value: unknown][] = [
  ['a URL', new URL('https://example.com')],
  ['NaN', NaN],
  ['Infinity', -Infinity],
  ['a negative zero', -0],
  ['undefined in an array', [undefined]],
  ['a Map', new Map([[1, 2]])],
  ['a Set', new Set([1])],
  ['an instance of a class', new (class Money {})()],
  ['one deep inside', { a: [{ b: new Map() }] }],
];
const kept: [name: string, value: unknown][] = [
  ['a Date', new Date(86_400_000)],
  ['a date before 1970', new Date(-1)],
  ['a bigint', 2n ** 70n],
  ['a negative bigint', -5n],
  ['several deep inside', { a: [new Date(1), { b: [1n, 'x', null] }] }],
];

describe('a Date or bigint arrives with its type', () => {
  it.each(kept)('in a record: %s', (_, address) => {
    const browser = browserAfter((server) => server.setResponse(getSite, {}, { id: '1', address }));
    const view = browser.observe(getSite, {});
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { address } });
    expect(view.needsLoad()).toBe(false);
  });

  it.each(kept)('in a response without a schema: %s', (_, value) => {
    const browser = browserAfter((server) => server.setResponse(getPlain, {}, { value }));
    expect(browser.getResponse(getPlain, {})).toEqual({ value });
  });

  it.each(kept)('in a page field: %s', (_, total) => {
    const browser = browserAfter((server) =>
      server.setResponse(getTotal, {}, { sites: [{ id: '1' }], total }),
    );
    expect(browser.getResponse(getTotal, {})).toMatchObject({ sites: [{ id: '1' }], total });
  });

  it('where `parseResponse`, `process` and a static `process` made it', async () => {
    class Event extends Entity {
      id = '';
      at: Date | undefined = undefined;
      size = 0n;
      static override key = 'CarriedEvent';
      static override process(input: any): any {
        return { ...input, at: new Date(input.at) };
      }
    }
    const getEvent = new RestEndpoint({
      path: '/events/:id',
      schema: Event,
      fetchResponse: async () => Response.json({ id: '1', at: '2026-01-01', size: '7' }),
      process: ({ size, ...rest }: any) => ({ ...rest, size: BigInt(size) }),
    } as any) as any;
    const getText = new RestEndpoint({
      path: '/text',
      fetchResponse: async () => new Response('5'),
      parseResponse: async (response: Response) => ({ n: BigInt(await response.text()) }),
    } as any) as any;
    const server = new Controller();
    await server.fetch(getEvent, { id: '1' });
    await server.fetch(getText);
    const browser = new Controller();
    hydrate(browser, transferred(server));
    expect(browser.getResponse(getEvent, { id: '1' })).toMatchObject({
      at: new Date('2026-01-01'),
      size: 7n,
    });
    expect(browser.getResponse(getText)).toEqual({ n: 5n });
  });

  it('from the next export too, whether or not it was read meanwhile', () => {
    const browser = browserAfter((server) => {
      server.setResponse(getSite, {}, { id: '1', address: new Date(5) });
      server.setResponse(getPlain, {}, 5n);
    });
    for (const isRead of [false, true]) {
      if (isRead) browser.getResponse(getSite, {});
      const next = new Controller();
      hydrate(next, transferred(browser));
      expect(next.getResponse(getSite, {})?.address).toEqual(new Date(5));
      expect(next.getResponse(getPlain, {})).toBe(5n);
    }
  });
});

describe('a result with a value that JSON cannot carry is fetched again in the browser', () => {
  it.each(lost)('in a record: %s', (_, address) => {
    const browser = browserAfter((server) =>
      server.setResponse(getSite, {}, { id: '1', name: 'One', address }),
    );
    const view = browser.observe(getSite, {});
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad()).toBe(true);
    // Readers that never wait are given what is known.
    expect(browser.get(Site, '1')).toMatchObject({ name: 'One', address: undefined });
  });

  it.each(lost)('in a response without a schema: %s', (_, value) => {
    const browser = browserAfter((server) => server.setResponse(getPlain, {}, { value }));
    expect(browser.observe(getPlain, {}).getSnapshot()).toEqual({ status: 'pending' });
  });

  it.each(lost)('in a page field: %s', (_, total) => {
    const browser = browserAfter((server) =>
      server.setResponse(getTotal, {}, { sites: [{ id: '1' }], total }),
    );
    expect(browser.observe(getTotal, {}).getSnapshot()).toEqual({ status: 'pending' });
  });

  const site = { id: '1', address: new URL('https://example.com') };
  const page = { id: 'p', site };
  it.each<[name: string, endpoint: any, response: unknown]>([
    ['a list', getSites, [{ id: '2' }, site]],
    ['an array', getPair, [{ id: '2' }, site]],
    ['a list in an object', getTotal, { sites: [site], total: 1 }],
    ['a member of a union', getEither, site],
    ['a relation', getPage, page],
    ['a list of relations', getFolder, { id: 'f', pages: [page] }],
  ])('where %s leads to it', (_, endpoint, response) => {
    const browser = browserAfter((server) => server.setResponse(endpoint, {}, response));
    const view = browser.observe(endpoint, {});
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad()).toBe(true);
  });

  it.each([60_000, 0])(
    'by a reader whose own request never had a response, until it has (lifetime %s)',
    async (dataExpiryLength) => {
      const browser = browserAfter((server) => server.setResponse(getSites, {}, [site]));
      const detail = new Endpoint(async (_: { id: string }): Promise<any> => site, {
        name: 'detail',
        schema: Site,
        dataExpiryLength,
      });
      const view = browser.observe(detail, { id: '1' });
      const release = view.retain();
      expect(view.getSnapshot()).toMatchObject({ status: 'pending' });
      expect(view.needsLoad()).toBe(true);
      await view.load();
      expect(view.getSnapshot()).toMatchObject({
        status: 'ready',
        data: { address: site.address },
      });
      release();
    },
  );

  it('in a record: undefined in place of a default', () => {
    class Limited extends Entity {
      id = '';
      limit: number | undefined = 10;
      note: string | undefined = undefined;
      static override key = 'CarriedLimited';
    }
    const getLimited = named('getLimited', Limited);
    const needs = (row: object) =>
      browserAfter((server) => server.setResponse(getLimited, {}, row))
        .observe(getLimited, {})
        .needsLoad();
    expect(needs({ id: '1', limit: undefined })).toBe(true);
    // Without a default, the browser shows the same value.
    expect(needs({ id: '1', limit: 5, note: undefined })).toBe(false);
    expect(needs({ id: '1' })).toBe(false);
  });

  it('alone: no other result is, of the same class or another', () => {
    const browser = browserAfter((server) => {
      server.setResponse(getSite, { id: '1' }, site);
      server.setResponse(getSite, { id: '2' }, { id: '2', name: 'Two' });
      server.setResponse(getPage, {}, { id: 'p', site: '2' });
    });
    expect(browser.observe(getSite, { id: '1' }).getSnapshot().status).toBe('pending');
    expect(browser.observe(getSite, { id: '2' }).needsLoad()).toBe(false);
    expect(browser.getResponse(getPage, {})?.site?.name).toBe('Two');
  });

  it('by the first reader, which shows the new response then', async () => {
    const browser = browserAfter((server) => server.setResponse(getSites, {}, [site]));
    expect(browser.get(getSites.schema, {})).toHaveLength(1);
    const responding = getSites.extend({ fetch: async () => [site] } as any) as typeof getSites;
    const view = browser.observe(responding, {});
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    await view.load();
    expect(view.getSnapshot()).toMatchObject({
      status: 'ready',
      data: [{ address: site.address }],
    });
  });

  it('even if an optimistic update of the record was shown and failed', async () => {
    const browser = browserAfter((server) => server.setResponse(getSites, {}, [site]));
    expect(browser.get(getSites.schema, {})).toHaveLength(1);
    const failing = async (_: { id: string }): Promise<any> => Promise.reject(new Error('gone'));
    const detail = new Endpoint(failing, { name: 'detail', schema: Site });
    const rename = new Endpoint(failing, {
      name: 'rename',
      schema: Site,
      sideEffect: true,
      getOptimisticResponse: (_, { id }) => ({ id, name: 'Uno' }),
    });
    await expect(browser.fetch(rename, { id: '1' })).rejects.toThrow('gone');
    const view = browser.observe(detail, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['a list', getSites, { id: '1', name: 'One' }],
    ['a write', undefined, undefined],
  ])('even if %s contained the record without the value before', (_, list, summary) => {
    const browser = browserAfter((server) => server.setResponse(getSite, {}, site));
    if (list) browser.setResponse(list, {}, [summary]);
    else browser.set(Site, { id: '1' }, { name: 'Uno' });
    for (const controller of [browser, next(browser)]) {
      const view = controller.observe(getSite, {});
      expect(view.getSnapshot()).toEqual({ status: 'pending' });
      expect(view.needsLoad()).toBe(true);
    }
    browser.setResponse(getSite, {}, { id: '1', name: 'One', address: 'here' });
    expect(next(browser).getResponse(getSite, {})?.address).toBe('here');
  });

  it('after a second export too, whether or not it was read meanwhile', () => {
    const browser = browserAfter((server) => server.setResponse(getPage, {}, page));
    for (const isRead of [false, true]) {
      if (isRead) browser.get(Page, 'p');
      const next = new Controller();
      hydrate(next, transferred(browser));
      expect(next.observe(getPage, {}).getSnapshot()).toEqual({ status: 'pending' });
    }
  });
});

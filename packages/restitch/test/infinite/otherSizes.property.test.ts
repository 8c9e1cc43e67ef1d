/**
 * Random programs with one infinite list that several readers load with different page sizes, or without a size. Each
 * reader that loads all pages has all rows of the server.
 *
 * A twentieth of `RESTITCH_MODEL_RUNS` programs run (default 250). `RESTITCH_MODEL_SEED` and
 * `RESTITCH_MODEL_PATH`, which a failure prints, repeat one.
 */
import fc from 'fast-check';
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  RestEndpoint,
  type RestGenerics,
} from 'restitch';
import { expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';
import { settle } from '../support/clock.js';

const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 20);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

class Row extends Entity {
  id = '';
}

/** The parameters of a request: `page=2&size=3`, or `page[number]=2&page[size]=3`. */
const NAMES = {
  flat: { page: 'page', offset: 'offset', size: 'size' },
  nested: { page: 'page[number]', offset: 'page[offset]', size: 'page[size]' },
} as const;
type Names = keyof typeof NAMES;

const styles = ['page', 'offset'] as const;

interface Search {
  readonly size?: number;
  readonly page?: { readonly size?: number };
}

class Rest<O extends RestGenerics = any> extends RestEndpoint<O> {
  override searchToString(params: Readonly<Record<string, unknown>>): string {
    const flat = Object.entries(params).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries({ ...value }).map(([inner, own]) => [
            `${name}[${inner}]`,
            `${own as string}`,
          ])
        : [[name, `${value as string}`]],
    );
    return new URLSearchParams(flat).toString();
  }
}

const ways = ['2', '3', '5', 'argument 2', 'argument 4', 'default'] as const;
/** The page size of the server, if a request has none. */
const DEFAULT_SIZE = 3;

const actions = [
  'next',
  'next',
  'next',
  'previous',
  'first',
  'loaded',
  'expire',
  'create',
  'delete',
  'others create',
  'others delete',
] as const;
const steps = fc.array(
  fc.record({
    way: fc.constantFrom(...ways),
    action: fc.constantFrom(...actions),
    pick: fc.nat(9),
    /** The number of responses that arrive after the step; Infinity stands for all. */
    responses: fc.constantFrom(0, 1, 2, Infinity, Infinity),
  }),
  { maxLength: 12 },
);

interface Server {
  readonly style: (typeof styles)[number];
  readonly form: Names;
  readonly hasTotal: boolean;
  readonly count: number;
}

function open({ style, form, hasTotal, count }: Server) {
  const names = NAMES[form];
  let rows = Array.from({ length: count }, (_, index) => `${index + 1}`);
  let created = 0;
  let requests = 0;
  const pending: (() => void)[] = [];
  const world = { isWaiting: true };
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    const response = answer(input, init);
    if (world.isWaiting) await new Promise<void>((resolve) => pending.push(resolve));
    return response;
  };
  const answer = (input: string, { method }: RequestInit): Response => {
    const { pathname, searchParams: query } = new URL(input);
    requests += 1;
    if (method === 'POST') {
      created += 1;
      rows = [`n${created}`, ...rows];
      return Response.json({ id: rows[0] });
    }
    if (method === 'DELETE') {
      rows = rows.filter((id) => !pathname.endsWith(`/${id}`));
      return new Response(null, { status: 204 });
    }
    const size = Number(query.get(names.size) ?? DEFAULT_SIZE);
    const page = Number(query.get(names.page) ?? 1) - 1;
    const start = Number(query.get(names.offset) ?? page * size);
    const results = rows.slice(start, start + size).map((id) => ({ id }));
    return Response.json({ results, total: rows.length });
  };
  const list = new Collection([Row], { name: 'rows', argsKey: () => ({}) });
  const total = hasTotal ? 'total' : undefined;
  const pagination =
    style === 'page'
      ? byPage({ param: names.page, size: names.size, total })
      : byOffset({ param: names.offset, limit: names.size, total });
  const searchOf = (size: number | undefined): Search =>
    size === undefined ? {} : form === 'flat' ? { size } : { page: { size } };
  const endpointOf = (size: number | undefined) =>
    resource({
      urlPrefix: `http://x/of${size ?? ''}`,
      send,
      path: '/rows/:id',
      schema: Row,
      searchParams: searchOf(size),
      Endpoint: Rest,
      pagination,
    }).extend('getList', { schema: { results: list, total: 0 } });
  const plain = endpointOf(undefined);
  const controller = new Controller();
  const readers = new Map(
    ways.map((way) => {
      const [, number = ''] = /(\d+)/.exec(way) ?? [];
      const isArgument = way.startsWith('argument');
      const Rows = isArgument || number === '' ? plain : endpointOf(Number(number));
      const args = searchOf(isArgument ? Number(number) : undefined);
      const view = infinite(controller, Rows.getList, args);
      return [way, view] as const;
    }),
  );
  const viewOf = (way: (typeof ways)[number]) => {
    const view = readers.get(way);
    if (!view) throw new Error(way);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    if (view.needsLoad()) void view.load();
    return view;
  };
  const deliver = async (count: number, pick: number): Promise<void> => {
    await settle();
    for (let index = 0; index < count && pending.length > 0; index += 1) {
      const [respond] = pending.splice(pick % pending.length, 1);
      respond?.();
      await settle();
    }
  };
  const others = (pick: number, isCreate: boolean): void => {
    created += isCreate ? 1 : 0;
    rows = rows.toSpliced(pick, isCreate ? 0 : 1, ...(isCreate ? [`o${created}`] : []));
  };
  const counts = { rows: () => rows, requests: () => requests };
  return { controller, plain, viewOf, others, world, deliver, ...counts };
}

const programs = fc.record({
  server: fc.record({
    style: fc.constantFrom(...styles),
    form: fc.constantFrom<Names>('flat', 'nested'),
    hasTotal: fc.boolean(),
    count: fc.integer({ min: 0, max: 12 }),
  }),
  program: steps,
  last: fc.constantFrom(...ways),
});

it('each reader that loads all pages has the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async ({ server, program, last }) => {
      const { controller, plain, viewOf, others, world, deliver, rows, requests } = open(server);
      for (const { way, action, pick, responses } of program) {
        const view = viewOf(way);
        const id = rows()[pick % Math.max(1, rows().length)];
        if (action === 'next') void view.loadNext();
        if (action === 'previous') void view.loadPrevious();
        if (action === 'first') void view.refresh();
        if (action === 'loaded') void view.refresh('loaded');
        if (action === 'expire') controller.expireAll(plain.getList);
        if (action === 'create') void controller.fetch(plain.getList.unshift, {}, {});
        if (action === 'delete' && id !== undefined) void controller.fetch(plain.delete, { id });
        if (action.startsWith('others')) others(pick, action === 'others create');
        await deliver(responses, pick);
      }
      const view = viewOf(last);
      await deliver(Infinity, 0);
      world.isWaiting = false;
      const before = requests();
      const loadAll = async (): Promise<void> => {
        while (readyData(view).hasNext && requests() < before + 100) await view.loadNext();
      };
      await loadAll();
      if (program.some(({ action }) => action.startsWith('others'))) {
        await view.refresh('loaded');
        await loadAll();
      }
      expect(readyData(view)).toMatchObject({ hasNext: false, nextError: undefined });
      expect(readyData(view).items.map(({ id }) => id)).toEqual(rows());
      controller.dispose();
    }),
    {
      numRuns: RUNS,
      ...(SEED !== undefined && { seed: Number(SEED) }),
      ...(PATH !== undefined && { path: PATH }),
    },
  );
}, 3_600_000);

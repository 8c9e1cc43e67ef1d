/**
 * Random programs against a server that pages by cursor. Whatever happened before, after "more" until the end a list holds what the
 * server has: no hole, no double, no request without end.
 *
 * A quarter of `RESTITCH_MODEL_RUNS` programs run (default 300). `RESTITCH_MODEL_SEED` and
 * `RESTITCH_MODEL_PATH`, which a failure prints, repeat one.
 */
import fc from 'fast-check';
import { Collection, Controller, Entity, type ReadEndpoint, resource, Values } from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import type { Side } from '../support/ListServer.js';
import { type Paging, PagingServer } from './server.js';

/** More requests than any program needs. */
const LIMIT = 500;
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 1_200) / 4);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

class Post extends Entity {
  id = '';
  side = '';
}

type Step =
  | { readonly do: 'more' | 'list' | 'expire' | 'invalidate' }
  | { readonly do: 'create'; readonly side: Side }
  | { readonly do: 'others create'; readonly side: Side }
  | { readonly do: 'delete' | 'others delete' | 'execute' | 'deliver'; readonly pick: number };

const pick = fc.nat(7);
const side = fc.constantFrom<Side>('start', 'end', 'middle');
const plain = (what: 'more' | 'list' | 'expire' | 'invalidate'): fc.Arbitrary<Step> =>
  fc.constant({ do: what });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: plain('more') },
    { weight: 1, arbitrary: plain('list') },
    { weight: 1, arbitrary: plain('expire') },
    { weight: 1, arbitrary: plain('invalidate') },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), side }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('others create' as const), side }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('others delete' as const), pick }) },
    { weight: 7, arbitrary: fc.record({ do: fc.constant('execute' as const), pick }) },
    { weight: 7, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
  ),
  { maxLength: 50, size: 'max' },
);
const paging: fc.Arbitrary<Paging> = fc.record({
  size: fc.integer({ min: 1, max: 3 }),
  cursor: fc.constantFrom('id', 'opaque'),
  hasTotal: fc.boolean(),
  form: fc.constantFrom('flat', 'flat', 'deep', 'map'),
});

/** One list of an application, whatever its form, which somebody looks at all the time. */
function open(form: Paging['form'], optimistic: boolean, { send }: PagingServer) {
  const controller = new Controller({ environment: { now: () => 1_000_000 } });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    paginationField: 'cursor',
    optimistic,
    send,
  });
  const next = '' as string | null;
  const flat = Posts.extend('getList', { schema: { results: new Collection([Post]), next } });
  const deep = Posts.extend('getList', {
    schema: { data: { results: new Collection([Post]) }, next },
  });
  const map = Posts.extend('getList', {
    schema: { results: new Collection(new Values(Post)), next },
  });
  const flatList = () => {
    const data = controller.getResponse(flat.getList);
    return data && { rows: data.results, next: data.next };
  };
  const deepList = () => {
    const data = controller.getResponse(deep.getList);
    return data && { rows: data.data.results, next: data.next };
  };
  const mapList = () => {
    const data = controller.getResponse(map.getList);
    return data && { rows: Object.values(data.results), next: data.next };
  };
  const { getList } = { flat, deep, map }[form];
  const view = controller.observe<ReadEndpoint>(getList);
  const follow = (isNews: boolean): void => {
    if (view.needsLoad(isNews)) void view.load();
  };
  view.subscribe(() => follow(true));
  follow(false);
  return {
    shownNow: { flat: flatList, deep: deepList, map: mapList }[form],
    page: (cursor: string) => {
      void controller.fetch<ReadEndpoint>(getList.getPage, { cursor }).catch(() => {});
    },
    list: () => {
      void controller.fetch<ReadEndpoint>(getList).catch(() => {});
    },
    create: (at: Side) => {
      const { push, unshift } = form === 'deep' ? deep.getList : flat.getList;
      const created =
        at === 'start'
          ? controller.fetch(unshift, { side: at })
          : controller.fetch(push, { side: at });
      created.catch(() => {});
    },
    remove: (id: string) => {
      void controller.fetch(Posts.delete, { id }).catch(() => {});
    },
    expire: () => controller.expireAll(getList),
    invalidate: () => {
      void controller.invalidate<ReadEndpoint>(getList);
    },
    dispose: () => controller.dispose(),
  };
}

it(
  'after "more" until the end a list holds what the server has',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        paging,
        fc.nat(9),
        fc.boolean(),
        steps,
        async (style, count, isOptimistic, program) => {
          const server = new PagingServer(style, count);
          const { shownNow, page, list, create, remove, expire, invalidate, dispose } = open(
            style.form,
            isOptimistic,
            server,
          );
          // What others added or took away may go unnoticed until the list is fetched again.
          const foreign = new Set<string>();
          const more = (): boolean => {
            const next = shownNow()?.next ?? null;
            if (next !== null) page(next);
            return next !== null;
          };
          const run = (step: Step): void => {
            switch (step.do) {
              case 'more':
                more();
                break;
              case 'list':
                list();
                break;
              case 'expire':
                expire();
                break;
              case 'invalidate':
                invalidate();
                break;
              case 'create':
                // A member of a map is created under a key.
                if (style.form !== 'map') create(step.side);
                break;
              case 'others create':
                foreign.add(server.add(step.side).id);
                break;
              case 'others delete': {
                const row = server.rows[step.pick];
                if (row) foreign.add(row.id);
                if (row) server.delete(row.id);
                break;
              }
              case 'delete': {
                const rows = (shownNow()?.rows ?? []).filter(({ id }) => !id.startsWith('~'));
                const row = rows[step.pick % rows.length];
                if (row) remove(row.id);
                break;
              }
              case 'execute':
                server.execute(step.pick);
                break;
              case 'deliver':
                server.deliver(step.pick);
                break;
            }
          };
          const quiet = async (): Promise<void> => {
            await settle();
            while (server.pending.length > 0) {
              if (server.sent > LIMIT) throw new Error('requests without end');
              server.execute(0);
              server.deliver(0);
              await settle();
            }
          };
          await settle();
          for (const step of program) {
            run(step);
            await settle();
            const ids = shownNow()?.rows.map(({ id }) => id) ?? [];
            expect(new Set(ids).size).toBe(ids.length);
          }
          await quiet();
          while (more()) await quiet();
          const own = (ids: readonly string[]): readonly string[] =>
            ids.filter((id) => !foreign.has(id)).sort();
          const ids = shownNow()?.rows.map(({ id }) => id) ?? [];
          expect(new Set(ids).size).toBe(ids.length);
          expect(own(ids)).toEqual(own(server.rows.map(({ id }) => id)));
          dispose();
        },
      ),
      {
        numRuns: RUNS,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
        ...(PATH === undefined ? {} : { path: PATH }),
      },
    );
  },
  20_000 + RUNS * 50,
);

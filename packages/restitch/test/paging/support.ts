import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';

export class Post extends Entity {
  id = '';
  title = '';
  author = '';
  static override key = 'Post';
}

export const posts: Collection<[typeof Post]> = new Collection([Post], { name: 'posts' });

/** One answer of a server: ids of records, and what stands beside them. */
export interface PageResponse {
  readonly ids: readonly string[];
  readonly next?: string | null;
}

/** A request that a test answers when it likes; where it was sent again, the last one. */
export interface Request {
  /** How many times it was sent. */
  readonly count: number;
  /** What its caller is told. */
  readonly outcome: Promise<unknown>;
  respond(response: PageResponse): Promise<void>;
  created(row: object): Promise<void>;
  fail(): Promise<void>;
}

type Args = Readonly<Record<string, unknown>>;

/** Lists with a cursor beside them, whose requests are answered by hand in any order. */
export function openPages() {
  const controller = new Controller({ environment: { now: () => 1_000_000 } });
  const envelope = { results: posts, next: '' as string | null };
  let count = 0;
  const getList = new Endpoint((_?: Args): Promise<unknown> => new Promise(() => {}), {
    name: 'getList',
    // Endpoints with this key are one question, whatever function they were made from.
    key: (args?: Args) => `getList ${JSON.stringify(args ?? {})}`,
    schema: envelope,
  });
  const start = (schema: unknown, args: Args | undefined, more: object = {}): Request => {
    const key = `request #${++count}`;
    const sent: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
    const serve = (_?: Args): Promise<unknown> =>
      new Promise((resolve, reject) => {
        sent.push({ resolve, reject });
      });
    const endpoint = new Endpoint(serve, { name: key, key: () => key, schema, ...more });
    const outcome = controller.fetch(endpoint, args);
    outcome.catch(() => {});
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    };
    return {
      get count() {
        return sent.length;
      },
      outcome,
      respond: (response) => (sent.at(-1)?.resolve(payload(response)), settled()),
      created: (row) => (sent.at(-1)?.resolve(row), settled()),
      fail: () => (sent.at(-1)?.reject(new Error('the server failed')), settled()),
    };
  };
  const mutation = { sideEffect: true };
  return {
    controller,
    getList,
    start,
    /** A first page, or a refetch of it. */
    list: (args?: Args) => start(envelope, args, { name: getList.name }),
    /** A further page: `page` is taken away to find the list. */
    page: (args: Args = {}): Request =>
      start({ results: posts.paginated('page'), next: '' as string | null }, { page: 2, ...args }),
    create: (body: object, at: 'push' | 'unshift' = 'push') =>
      start(posts[at], body as Args, { ...mutation, getOptimisticResponse: () => ({ ...body }) }),
    remove: (id: string) => start(new Invalidate(Post), { id }, mutation),
    /** An answer of the list that came before everything else. */
    seed: (response: PageResponse, args?: Args) =>
      controller.setResponse(getList, args, payload(response) as object),
    /** What a reader of the list sees: its members, and the cursor. */
    shownNow: (args?: Args): string | undefined => {
      const data = controller.getResponse(getList, args);
      const ids = data?.results.map(({ id, title }) => (id.startsWith('~') ? title : id));
      return ids && [...ids, `→${data?.next ?? 'end'}`].join(' ');
    },
  };
}

export function payload({ ids, next = null }: PageResponse): unknown {
  return { results: ids.map((id) => ({ id, title: id })), next };
}

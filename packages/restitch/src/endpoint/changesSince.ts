import { isParsed, noteParsed } from '../schema/parsedJson.js';
import { allArgs } from '../schema/identityText.js';
import { readsAlike } from '../schema/sameProcessing.js';
import { shapeOf } from '../schema/shape.js';
import type { ReadEndpoint } from './EndpointInterface.js';
import { headersText } from './headersText.js';
import { type Fields, mergeRecords } from './mergeRecords.js';
import { recordKeys } from './recordKeys.js';
import { isLater, KEEPS, noteUnchanged, type Rows } from './unchangedRecords.js';
import { keep, keptIn, type KeptValues, keyFor, onceStored, STORED } from './valuesPerStore.js';

/** The options of `changesSince`: the names that the server uses, and rules for the list. */
export interface ChangesOptions<Args extends readonly unknown[] = readonly unknown[]> {
  /** The search parameter that requests only the changes after a time or a version. */
  readonly param: string;
  /**
   * The field with the time or the version. If the response has the field, the next request sends
   * its value. Otherwise, the next request sends the greatest value in the records.
   */
  readonly from: string;
  /** The field of a response with the primary keys of deleted records. */
  readonly deleted: string;
  /**
   * The field of a record that identifies it in the list. Default: the primary key of its class, or
   * the field `id` of a record without a class.
   */
  readonly pk?: string | undefined;
  /**
   * Returns false for a changed record that has left the list, for example because of its new
   * status. Without `belongs`, the server must report the record as deleted.
   */
  belongs?(record: Fields, ...args: Args): boolean;
  /** Compares two records, for `Array.prototype.sort`. Default: new records are last. */
  order?(a: Fields, b: Fields): number;
  /** Returns true for a response that contains the whole list, although changes were requested. */
  isWhole?(response: unknown): boolean;
  /** The maximum number of lists whose responses are kept. Default: 20. */
  readonly max?: number | undefined;
}

/** A REST endpoint that reads a list. */
export interface ListEndpoint extends ReadEndpoint {
  readonly method: string;
  /** Defaults of the search parameters. */
  readonly searchParams?: unknown;
}

interface Sender extends ReadEndpoint {
  readonly searchParams?: object;
  readonly $store?: { readonly rows: Rows };
  readonly $page?: unknown;
  url(...args: readonly unknown[]): string;
  readonly fetchResponse: (input: RequestInfo, init: RequestInit) => Promise<Response>;
}

interface Received {
  readonly endpoint: Sender;
  readonly response: unknown;
  /** The position of the request in the order of sending. Responses can arrive in another order. */
  readonly sent: number;
  readonly headers: string;
}

interface Kept extends Received {
  readonly records: readonly Fields[];
  readonly since: unknown;
  /** Deleted keys that caused this whole response. The server can repeat them. */
  readonly unclear?: readonly unknown[];
}

/** Status 410: the server no longer has all changes after the sent time or version. */
const GONE = 410;

/**
 * Returns an endpoint of a list whose refetches request only the changes. Changed records replace
 * the earlier ones, new records are added, and deleted records are removed. Readers receive the
 * whole list, as from a full response.
 *
 * @remarks Each combination of arguments and scope has its own list. Two endpoints that send
 * requests or process responses differently never share a list. Five reads request the whole list:
 * - the first read
 * - the first read after `resetEntireStore`
 * - a read whose changes are too old for the server: it responds with 410
 * - a read whose headers differ from those of the last request
 * - a read whose changes could concern several records
 *
 * A header that is new in each request, such as a request ID, must therefore be set in `send`. To
 * request the whole list explicitly, fetch the original endpoint. The last full lists stay in
 * memory even while no reader uses them. Direct calls of the endpoint, pages and creates are sent
 * unchanged.
 *
 * @example
 * ```ts
 * import { changesSince, Entity, resource } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 *   updatedAt = '';
 * }
 * const Todos = resource({ path: '/todos/:id', schema: Todo }).extend(({ getList }) => ({
 *   getList: changesSince(getList, { param: 'since', from: 'updatedAt', deleted: 'deletedIds' }),
 * }));
 * ```
 */
export function changesSince<E extends ListEndpoint>(
  endpoint: E,
  options: ChangesOptions<Parameters<E>>,
): E {
  const { param, max = 20 } = options;
  const stores: KeptValues<Kept> = new WeakMap();
  let count = 0;
  async function fetch(this: Sender, ...args: Parameters<E>): Promise<unknown> {
    const { $store: store, $page: page, sideEffect, searchParams } = this;
    if (!store || page || sideEffect) {
      return endpoint.fetch.apply(this, args);
    }
    const lists = keptIn(stores, store);
    const key = (): string => keyFor(lists, this.key(...args), this, readsAlike);
    const sent = (count += 1);
    const load = async (base?: Kept): Promise<Kept> => {
      let headers = '';
      let isSame = base !== undefined;
      const { fetchResponse } = this;
      const url = this.url(...args);
      const request = this.extend({
        ...(base && { searchParams: { ...searchParams, [param]: base.since } }),
        fetchResponse(this: Sender, input: RequestInfo, init: RequestInit) {
          headers = headersText(init);
          // With other headers, the kept list can belong to another user or language.
          isSame = base?.headers === headers;
          return fetchResponse.call(this, isSame ? input : url, init);
        },
      }) as Sender;
      try {
        const response: unknown = await endpoint.fetch.apply(request, args);
        const from = { endpoint: this, response, sent, headers };
        const next = base && isSame ? merged(base, from, args, options) : whole(from, options);
        return next ?? { ...(await load()), unclear: deletedIn(response, options) };
      } catch (error) {
        if (!isSame || Object(error).status !== GONE) {
          throw error;
        }
        return load();
      }
    };
    const kept = await load(lists.get(key()));
    onceStored(this, stores, () => {
      const own = key();
      if (sent > (lists.get(own)?.sent ?? 0)) {
        keep(lists, own, kept.since === undefined ? undefined : kept, max);
      }
    });
    return kept.response;
  }
  return endpoint.extend({ fetch, ...STORED, ...KEEPS }) as E;
}

function whole(received: Received, { from, deleted }: ChangesOptions): Kept {
  const { response } = received;
  const [name, records] = recordsIn(response, deleted);
  // Changes cannot be applied to a response without a list.
  const hasList = Array.isArray(response) || name !== '';
  return { ...received, records, since: hasList ? latest(response, records, from) : undefined };
}

/** Returns undefined if the whole list must be fetched. */
function merged(
  base: Kept,
  received: Received,
  args: readonly unknown[],
  options: ChangesOptions,
): Kept | undefined {
  const { from, deleted } = options;
  const { response } = received;
  if (options.isWhole?.(response)) {
    return whole(received, options);
  }
  const [name, changed] = recordsIn(response, deleted);
  const [place] = recordsIn(base.response, deleted);
  const isList = Array.isArray(base.response);
  const {
    [name]: _records,
    [deleted]: _keys,
    ...beside
  } = Object(Array.isArray(response) ? {} : response) as Fields;
  const withList = (list: readonly Fields[]): object =>
    isList ? list : { ...Object(base.response), ...beside, [place]: list };
  const full = [...base.records, ...changed];
  const { endpoint } = received;
  const shape = shapeOf(endpoint.schema);
  const keys = recordKeys(shape, withList(full), allArgs(endpoint, args), new Set(full));
  const gone = deletedIn(response, options);
  const records =
    keys &&
    mergeRecords(base.records, changed, gone, base.unclear ?? [], keys, options.pk, (record) =>
      options.belongs ? options.belongs(record, ...args) : true,
    );
  if (!records) {
    return undefined;
  }
  const listed = options.order ? [...records].sort((a, b) => options.order?.(a, b) ?? 0) : records;
  const next = withList(listed);
  if (isParsed(base.response) && isParsed(response)) {
    noteParsed(next);
  }
  const older = Object.entries(isList ? {} : Object(base.response)).filter(
    ([field]) => field !== place && !Object.hasOwn(beside, field),
  );
  const changedSet = new Set(changed);
  noteUnchanged(endpoint, {
    rows: endpoint.$store?.rows ?? new Map(),
    records: new Set(listed.filter((record) => !changedSet.has(record))),
    others: older.map(([, value]) => value),
    from,
  });
  const since = latest(response, changed, from, base.since);
  return { ...received, response: next, records: listed, since };
}

/** Returns the records, and the name of their field: `''` if the response is an array. */
function recordsIn(
  response: unknown,
  deleted: string,
): readonly [name: string, records: readonly Fields[]] {
  const all: readonly (readonly [string, unknown])[] = Array.isArray(response)
    ? [['', response]]
    : Object.entries(Object(response));
  // The cast: the records of a response are objects.
  return (all.find(([name, value]) => name !== deleted && Array.isArray(value)) ?? ['', []]) as [
    string,
    Fields[],
  ];
}

/** Returns a field of a response. Methods of arrays, such as `at` and `keys`, are not fields. */
function fieldIn(response: unknown, name: string): unknown {
  const fields: object = Object(response);
  const isField = !Array.isArray(response) && Object.hasOwn(fields, name);
  return isField ? Reflect.get(fields, name) : undefined;
}

function deletedIn(response: unknown, { deleted }: ChangesOptions): readonly unknown[] {
  // The cast: the server sends an array.
  return (fieldIn(response, deleted) ?? []) as readonly unknown[];
}

function latest(
  response: unknown,
  records: readonly Fields[],
  from: string,
  before?: unknown,
): unknown {
  return (
    fieldIn(response, from) ??
    records.reduce<unknown>(
      (last, { [from]: value }) =>
        last === undefined || isLater(value, last) ? (value ?? last) : last,
      before,
    )
  );
}

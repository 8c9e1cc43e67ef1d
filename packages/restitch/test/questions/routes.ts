/** What a request names on the server. */
import type { SpaceSpec } from './program.js';
import type { Flight } from './flights.js';

/** How the responses to searches and functions look. */
export const PLAIN: SpaceSpec = {
  envelope: 0,
  isMap: false,
  summary: 1,
  detail: 3,
  isNesting: false,
  isPaged: false,
};

export interface Route {
  readonly type: 'value' | 'table';
  readonly table: 0 | 1;
  readonly space: SpaceSpec;
  /** Says which list, without its group: address, body and authorization. */
  readonly key: string;
  /** Whether rows created here enter its lists. */
  readonly isList: boolean;
  readonly id: string | undefined;
  readonly group: string | undefined;
  readonly cursor: string | undefined;
  /** Of the rows that a record holds: which record. */
  readonly owner: string | undefined;
}

/** The lists of rows that records hold, however they are asked for. */
const ITEMS = '/t1/items';

/** The rows that a record holds. */
export const itemsOf = (owner: string): Route =>
  routeOf({ url: `${ITEMS}?owner=${owner}`, body: '', auth: '' }, []);

// prefix, table, name of the space, group in the path, id of a row, query
const ADDRESS = /^(.*)\/t([01])\/(\w+)(?:\/g\/(\w+))?(?:\/(\w+))?(?:\?(.*))?$/;

/** What a request names; for calls of functions the address is their text. */
export function routeOf(
  { url, body, auth }: Pick<Flight, 'url' | 'body' | 'auth'>,
  spaces: readonly SpaceSpec[],
): Route {
  const [, prefix = '', table, name = '', group, id, query] = ADDRESS.exec(url) ?? [];
  const isList = /^s\d$/.test(name);
  const search = new Map(query?.split('&').map((pair) => pair.split('=') as [string, string]));
  return {
    type: table === undefined ? 'value' : 'table',
    table: table === '1' ? 1 : 0,
    space: (isList && spaces[Number(name.slice(1))]) || PLAIN,
    key:
      name === 'items'
        ? ITEMS
        : `${prefix}/t${table}/${name} ${isList ? '' : body} ${auth}${group ? ' by path' : ''}${search.get('lang') ?? ''}`,
    isList,
    id,
    group: group ?? search.get('group'),
    cursor: search.get('cursor'),
    owner: search.get('owner'),
  };
}

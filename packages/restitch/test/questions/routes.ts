/** What a request names on the server. */
import type { SpaceSpec } from './program.js';
import type { Flight } from './flights.js';

/** How the answers to searches and functions look. */
export const PLAIN: SpaceSpec = {
  envelope: 0,
  isMap: false,
  summary: 1,
  detail: 3,
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
}

// prefix, table, name of the space, id of a row, query
const ADDRESS = /^(.*)\/t([01])\/(\w+)(?:\/(\w+))?(?:\?(.*))?$/;

/** What a request names; for calls of functions the address is their text. */
export function routeOf(
  { url, body, auth }: Pick<Flight, 'url' | 'body' | 'auth'>,
  spaces: readonly SpaceSpec[],
): Route {
  const [, prefix = '', table, name = '', id, query] = ADDRESS.exec(url) ?? [];
  const isList = /^s\d$/.test(name);
  const search = new Map(query?.split('&').map((pair) => pair.split('=') as [string, string]));
  return {
    type: table === undefined ? 'value' : 'table',
    table: table === '1' ? 1 : 0,
    space: (isList && spaces[Number(name.slice(1))]) || PLAIN,
    key: `${prefix}/t${table}/${name} ${isList ? '' : body} ${auth}`,
    isList,
    id,
    group: search.get('group'),
    cursor: search.get('cursor'),
  };
}

import type { EndpointView } from '../controller/EndpointView.js';
import type { EndpointInterface, ReadEndpoint } from '../endpoint/EndpointInterface.js';
import { entryOf } from '../host/entryOf.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { Collection, type CollectionOptions } from '../schema/Collection.js';
import type { ListEndpoint } from '../schema/listEndpoints.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { kindOf, RESOURCE_LIST, WINDOW, withLists } from '../schema/listHomes.js';
import { isObject, isPlain, own as ownField } from '../schema/same.js';
import { withoutPage } from '../schema/listSchema.js';
import { arrangeSparse } from './arrangeSparse.js';
import {
  type InfinitePagination,
  paginationOf,
  type Positions,
  type Style,
} from './createPagination.js';
import { responseOf } from './pickFromResponse.js';

export interface WindowEndpoint {
  readonly endpoint: ReadEndpoint;
  readonly positions: Positions;
}

export interface WindowSource extends Pick<WindowEndpoint, 'positions'> {
  /** The view of the newest copy of the endpoint. */
  first: EndpointView<unknown>;
}

/** The second key is the identity of the list, which a getter such as `urlPrefix` can change. */
const known = new WeakMap<ReadEndpoint, Map<string, WindowEndpoint>>();

/** The returned endpoint has its own list, because the list of `endpoint` stores no indexes. */
export function windowEndpointOf(endpoint: ReadEndpoint): WindowEndpoint {
  const list = collectionOf(endpoint.schema);
  const home = list ? kindOf(list).join(' ') : '';
  const ofEndpoint = entryOf(known, endpoint, () => new Map<string, WindowEndpoint>());
  return entryOf(ofEndpoint, home, () => create(endpoint));
}

function create(endpoint: ReadEndpoint): WindowEndpoint {
  const pagination = paginationOf(endpoint);
  const list = collectionOf(endpoint.schema);
  const positions = pagination?.style.positions;
  if (!pagination || !positions || !list) {
    throw new RestitchError(
      'no-pagination',
      isDevelopment
        ? `${endpoint.name}: a windowed list needs a Collection in the \`schema\`, and \`byPage\` or \`byOffset\` as its \`pagination\`. Rows behind a cursor or a link have no index.`
        : endpoint.name,
    );
  }
  if (!positions.hasTotal) {
    throw withoutTotal(endpoint);
  }
  const own = new WindowList(list, pagination.style);
  // The cast: an endpoint whose schema contains a list comes from this library.
  const made = (endpoint as ReadEndpoint & ListEndpoint).extend({
    name: `${endpoint.name}.window`,
    schema: withLists(endpoint.schema, (other) => (other === list ? own : other)),
    pagination: entryOf(pagings, pagination, () => pagingOf(pagination)),
    paginationField: undefined,
    $page: true,
    [RESOURCE_LIST]: undefined,
  });
  return { endpoint: made, positions };
}

interface WindowOptions extends CollectionOptions {
  readonly list: Collection;
  readonly params: readonly string[];
  readonly sizeKey: string;
}

/** Its options are comparable, because endpoints with other schemas share no responses. */
class WindowList extends Collection {
  constructor(list: Collection, { params, sizeKey = '' }: Style) {
    const [, kind = ''] = kindOf(list);
    const name = `${kind}${WINDOW}`;
    super(list.schema, { name });
    Object.assign(this, { options: { name, list, params, sizeKey } satisfies WindowOptions });
  }

  override argsKey(...args: readonly unknown[]): unknown {
    // The cast: the constructor and copies of the list set these options.
    const { list, params, sizeKey } = this.options as WindowOptions;
    const own = params.reduce(withoutPage, args);
    const key = list.argsKey(...own);
    // Pages of another size begin at other indexes.
    const size = own
      .map((arg) => (isObject(arg) ? ownField(arg, sizeKey) : undefined))
      .find(Boolean);
    return size === undefined || !isPlain(key) ? key : { [sizeKey]: size, ...key };
  }
}

const pagings = new WeakMap<InfinitePagination, InfinitePagination>();

function pagingOf(pagination: InfinitePagination): InfinitePagination {
  return {
    ...pagination,
    arrangeFor: (body, args, requestArgs) =>
      arrangeSparse(pagination.style.read({ body, response: responseOf(body), args, requestArgs })),
  };
}

export const withoutTotal = ({ name }: EndpointInterface): RestitchError =>
  new RestitchError(
    'window-without-total',
    isDevelopment
      ? `${name}: a windowed list needs the number of rows in the whole list. Set \`total\` in its \`pagination\`, and check that each response has it: a whole number of at least 0.`
      : name,
  );

export const withoutRow = ({ name }: EndpointInterface): RestitchError =>
  new RestitchError(
    'window-without-row',
    isDevelopment
      ? `${name}: a row of the list is in none of its pages. The server counts more rows in \`total\` than its pages have. Each page but the last one has to be full.`
      : name,
  );

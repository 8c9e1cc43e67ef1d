import type { Collection } from './Collection.js';
import type { EditAction, PageCursor } from './CollectionEdit.js';
import { RESOURCE_LIST, type ResourceList, withLists } from './listHomes.js';
import { isKind } from './SchemaKind.js';
import { fieldInBody } from './listSchema.js';
import type { Schema } from './Schema.js';

export interface ListEndpoint {
  readonly name: string;
  readonly schema?: Schema;
  readonly [RESOURCE_LIST]?: ResourceList;
  extend(options: object): this;
}

/** Returns an endpoint such as `getUsers.push`, or undefined if the list lacks the action. */
export function editEndpoint<E extends ListEndpoint>(
  this: Collection,
  endpoint: E,
  action: EditAction,
): E | undefined {
  // A map has no positions for `push` and `unshift`. A list has no keys for `assign`.
  const isWrong = isKind(this.schema, 'values') ? /push|unshift/ : /assign/;
  return isWrong.test(action)
    ? undefined
    : endpoint.extend({
        name: `${endpoint.name}.${action}`,
        body: {},
        // Otherwise, a create would send the default parameters of the list, such as `limit: 20`.
        searchParams: undefined,
        ...endpoint[RESOURCE_LIST]?.[action === 'move' ? action : 'add'],
        method: /move/.test(action) ? 'PATCH' : 'POST',
        sideEffect: true,
        $isOnePerBody: true,
        schema: this[action],
        // The validator of the list does not accept a single member.
        validate: undefined,
      });
}

export function pageEndpoint<E extends ListEndpoint>(
  this: Collection,
  endpoint: E,
  cursor: PageCursor,
): E {
  const page = this.paginated(cursor);
  return endpoint.extend({
    name: `${endpoint.name}.getPage`,
    schema: withLists(endpoint.schema, (list) => (list === this ? page : list)),
    paginationField: undefined,
    $page: typeof cursor === 'string' && fieldInBody(cursor) === undefined,
  });
}

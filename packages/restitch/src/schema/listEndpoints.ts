import type { Collection } from './Collection.js';
import type { EditAction, PageCursor } from './CollectionEdit.js';
import { withLists } from './homes.js';
import { isKind } from './kind.js';
import { fieldInBody } from './listSchema.js';
import type { Schema } from './Schema.js';

/** Options that the endpoints which edit lists take over, by action; set by `resource()`. */
export const EDITS: unique symbol = Symbol('restitch.edits');

/** What is asked of an endpoint here. */
export interface ListEndpoint {
  readonly name: string;
  readonly schema?: Schema;
  readonly [EDITS]?: Readonly<Record<string, object>>;
  extend(options: object): this;
}

/** The endpoint that edits the list of another one; called as a method of the collection. */
export function editEndpoint<E extends ListEndpoint>(
  this: Collection,
  endpoint: E,
  action: EditAction,
): E | undefined {
  // Members of a map have keys, those of a list have places.
  const isWrong = isKind(this.schema, 'values') ? /push|unshift/ : /assign/;
  return isWrong.test(action)
    ? undefined
    : endpoint.extend({
        name: `${endpoint.name}.${action}`,
        body: {},
        // Defaults of the list are no part of its members.
        searchParams: undefined,
        ...endpoint[EDITS]?.[action],
        method: /move/.test(action) ? 'PATCH' : 'POST',
        sideEffect: true,
        schema: this[action],
        // That of the list does not fit a member.
        validate: undefined,
      });
}

/** The endpoint that reads further pages of the list of another one; called as a method of the collection. */
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
    '~page': typeof cursor === 'string' && fieldInBody(cursor) === undefined,
  });
}

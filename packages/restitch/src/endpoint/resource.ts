import { isDevelopment } from '../errors/development.js';
import { CollectionClass } from '../schema/collectionClass.js';
import { RESOURCE_LIST } from '../schema/listHomes.js';
import { InvalidateClass } from '../schema/invalidateClass.js';
import { create, type Options } from './callable.js';
import { listPath } from './ListPath.js';
import { warnResourceOptions } from './misspelledOptions.js';
import { optimisticOptions } from './optimisticBodies.js';
import { parsePath } from './path.js';
import type { EntityClass } from '../schema/Schema.js';
import type { Resource } from './ResourceEndpoints.js';
import type { ResourceCallbacks, ResourceShape } from './ResourceOptions.js';
import { RestEndpoint as RestEndpointClass } from './restEndpointClass.js';
import { shapeOf } from '../schema/shape.js';
import { isEntityClass, isKeyedById, pkOfArgs } from '../schema/Entity.js';
import { fieldOfParam } from '../schema/fieldOfParam.js';
import {
  emptyKeyFields,
  isDefaultKey,
  keyReading,
  otherKeyFields,
  readFieldsOf,
} from '../schema/keyFields.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

interface AnyEndpoint {
  readonly schema?: unknown;
  process(value: unknown, ...args: readonly unknown[]): unknown;
  extend(options: Options): AnyEndpoint;
}
/** `$classes` of a union returns the classes of its members. */
interface WithClasses {
  readonly $classes?: () => readonly unknown[];
}

type Endpoints = Readonly<Record<string, AnyEndpoint | undefined>>;

/**
 * Returns the endpoints that read, create, change and delete records of one type.
 *
 * @remarks `get`, `update` (PUT), `partialUpdate` (PATCH) and `delete` use `path`. `getList`,
 * `getList.push` and `getList.unshift` (POST) use it without its last placeholder. Options that are
 * not specific to resources apply to every endpoint. The result is a plain object that can be
 * spread. `extend` changes or adds endpoints.
 *
 * @throws TypeError when `path` has no placeholder.
 *
 * @example
 * ```ts
 * import { Entity, resource } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 *   title = '';
 * }
 *
 * const TodoResource = resource({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/todos/:id',
 *   schema: Todo,
 *   searchParams: {} as { userId?: string },
 *   optimistic: true,
 * });
 *
 * const rename = () => TodoResource.partialUpdate({ id: '1' }, { title: 'Buy milk' });
 * ```
 */
export function resource<R extends ResourceShape>(
  options: Readonly<R> & ResourceCallbacks,
): Resource<R> {
  const {
    path,
    schema,
    Endpoint,
    body = {},
    searchParams,
    optimistic,
    pagination,
    paginationField,
    Collection: List = CollectionClass,
    nonFilterArgumentKeys,
    name,
    ...shared
  } = options as ResourceShape;
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
    warnResourceOptions(options as Options);
  if (!schema) {
    throw new TypeError(
      isDevelopment
        ? 'resource(): set `schema` to an entity class or a `Union`.'
        : 'resource(): schema',
    );
  }
  const entity = name ?? (schema.key || schema.name || path);
  const list = listPath(path);
  // Returns `post` and `id` for `/posts/:post/comments/:id?full=:full`, but not `full`.
  const names = (): readonly string[] =>
    [...parsePath(path, path).names].slice(0, parsePath(list, path).names.size + 1);
  // An extended endpoint can have another class.
  const rowOf = (params: unknown, member?: object): unknown =>
    !member || member === shapeOf(schema) ? rowKey(schema, names(), params) : undefined;
  const predictions: Readonly<Record<string, Options>> = optimistic
    ? optimisticOptions(path, schema, names, rowOf)
    : {};

  const make = (member: string, method: string, own?: Options): AnyEndpoint =>
    // The cast: instances of every `Endpoint` class are endpoints.
    create(Endpoint ?? RestEndpointClass, {
      ...shared,
      path,
      schema,
      method,
      $row: rowOf,
      name: `${entity}.${member}`,
      ...predictions[member],
      ...own,
    }) as unknown as AnyEndpoint;

  const listOptions = { ...(nonFilterArgumentKeys && { nonFilterArgumentKeys }) };
  const removed = Object.assign(new InvalidateClass(schema), { $unread: true });
  const remove = make('delete', 'DELETE', { schema: removed });

  function extend(
    this: Endpoints,
    changes:
      | string
      | ((base: Endpoints) => Endpoints)
      | Readonly<Record<string, Options | undefined>>,
    named?: Options,
  ): Endpoints {
    if (typeof changes === 'function') return { ...this, ...changes(this) };
    const own: Record<string, AnyEndpoint | undefined> = {};
    const given = typeof changes === 'string' ? { [changes]: named } : changes;
    for (const [member, options] of Object.entries(given)) {
      own[member] =
        this[member]?.extend({ ...options }) ??
        this['get']?.extend({
          name: `${entity}.${member}`,
          // The new endpoint has another response than `get`, so it does not inherit the schema.
          schema: undefined,
          validate: undefined,
          ...options,
        });
    }
    return { ...this, ...own };
  }

  return {
    get: make('get', 'GET'),
    getList: make('getList', 'GET', {
      path: list,
      schema: new List([schema], listOptions),
      searchParams,
      pagination,
      paginationField,
      [RESOURCE_LIST]: {
        List,
        options: listOptions,
        add: { body, ...predictions['add'] },
        move: { path, body, searchParams: undefined, $row: rowOf, ...predictions['move'] },
      },
    }),
    update: make('update', 'PUT', { body }),
    partialUpdate: make('partialUpdate', 'PATCH', { body }),
    delete: remove.extend({
      async process(this: AnyEndpoint, value: unknown, ...args: readonly unknown[]) {
        // The `process` of the class can still reject the response.
        const response = await remove.process.call(this, value, ...args);
        return this.schema === removed ? rowOf(args[0]) : response;
      },
    }),
    extend,
    // The cast: the types of the endpoints derive from `R`, which only the compiler knows.
  } as unknown as Resource<R>;
}

/**
 * If `pk` reads one field that is no parameter, this field gets the value of the last parameter:
 * `/rows/:rowId` with `{ rowId: 5 }` names the row with the `id` 5. If `pk` reads several fields, a
 * single parameter is the whole key. Returns undefined if the parameters do not name a record.
 */
function rowKey(schema: unknown, names: readonly string[], params: unknown): unknown {
  const given: Readonly<Record<string, unknown>> = { ...Object(params) };
  const last = names.at(-1) ?? '';
  const value = fieldOfParam(given[last]);
  if (!isEntityClass(schema)) {
    const classes = (schema as WithClasses).$classes?.() ?? [];
    const keys = new Set(classes.map((one) => rowKey(one, names, params)));
    let named = 0;
    for (const one of classes) {
      named += isEntityClass(one) && pkOfArgs(one, [params]) !== undefined ? 1 : 0;
    }
    const isMixed = named > 0 && named < classes.length;
    if (keys.size <= 1 && Object.keys(given).length <= 1 && !isMixed) {
      return [...keys, value][0];
    }
    // Parameters can name the class, or the key field of some classes only. If the classes compute
    // different keys, each reads its own key from the object.
    const fields: Record<string, unknown> = {};
    const isOne = keys.size === 1 && !keys.has(undefined);
    for (const one of isOne ? classes : []) {
      for (const field of isEntityClass(one) ? unnamedFields(one, given) : []) {
        fields[field] = value;
      }
    }
    return named > 0 ? params : { ...fields, id: value, ...given };
  }
  if (isKeyedById(schema)) {
    return value;
  }
  const [field, ...others] = unnamedFields(schema, given);
  if (field !== undefined && names.length === 1 && emptyKeyFields(schema, {}).length > 1) {
    return value;
  }
  // If the last parameter is one of the fields, it is not the value of another field.
  return others.length > 0 || (field !== undefined && readFieldsOf(schema).has(last))
    ? undefined
    : pkOfArgs(schema, [field === undefined ? params : { ...given, [field]: value }]);
}

/** Returns the fields of the key for which there is no parameter. */
function unnamedFields(entity: EntityClass, params: object): readonly string[] {
  const read = keyReading.read(entity, params);
  const empty = emptyKeyFields(entity, read);
  return empty.length > 0 || !isDefaultKey(entity, read) ? empty : otherKeyFields(entity, read);
}

import type { Collection, CollectionOptions } from '../schema/Collection.js';
import type { Invalidate } from '../schema/Invalidate.js';
import type { Denormalize, EntityClass } from '../schema/Schema.js';
import type { Union } from '../schema/Union.js';
import type { ListPath } from './ListPath.js';
import type { Pagination } from './Pagination.js';
import type { OptionOf } from './RestArgs.js';
import type { RestCallbacks, RestShape } from './RestOptions.js';

/** The options of a resource, and options for all of its endpoints. */
export interface ResourceShape extends Omit<
  RestShape,
  'method' | 'sideEffect' | 'content' | 'validate'
> {
  /**
   * The path of one member. The path of the list is the same without its last placeholder and
   * query.
   *
   * @remarks The key can be a placeholder in the query, as in `/user?id=:id`, if the path before the
   * query has no placeholder.
   */
  readonly path: string;
  /** The schema of one member. */
  readonly schema: any;
  /** The class of the endpoints. Default: `RestEndpoint`. */
  readonly Endpoint?: abstract new (options: any) => any;
  /** A sample that provides the type of a full body. Default: any part of the entity. */
  readonly body?: any;
  /** A sample that provides the type of the list's search parameters. */
  readonly searchParams?: any;
  /** The page parameter of the list: see `RestShape.paginationField`. */
  readonly paginationField?: string | undefined;
  /** The paging of the list on the server: see `RestShape.pagination`. */
  readonly pagination?: Pagination | undefined;
  /** The class of the list. Default: `Collection`. */
  readonly Collection?: new (schema: any, options?: any) => Collection<any, any>;
  /** Arguments that do not decide which members a list has, such as a sort order. */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'] | undefined;
  /** True: readers receive the change of a mutation before the server responds. Default: false. */
  readonly optimistic?: boolean | undefined;
  /** Responses differ by endpoint: set the validator of each endpoint with `extend`. */
  readonly validate?: undefined;
  readonly [extra: string]: unknown;
}

/** Methods for all endpoints of a resource. The types of their arguments are therefore unknown. */
export type ResourceCallbacks = RestCallbacks<any>;

/** The default body of mutations: any part of the entity. */
export type PartialEntity<R> = Partial<Denormalize<OptionOf<R, 'schema'>>>;

/** The body of creates and replacements. */
export type FullBody<R> = OptionOf<R, 'body', PartialEntity<R>>;

/** A form in place of a body. Its type declares the fields of the body as undefined. */
export type FormOf<B> = FormData & {
  readonly [K in keyof B]?: K extends keyof FormData ? unknown : undefined;
};

/** A body, or a form with its fields. Without a body, no form is accepted either. */
export type OrForm<B> = [B] extends [undefined] ? B : B | FormOf<B>;

/** Options of `get`: its response is one record. */
export interface GetOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'GET';
  readonly nullable: OptionOf<R, 'nullable'>;
  readonly schema: OptionOf<R, 'schema'>;
}

/** Options of `getList`: its response is a `Collection` of records. */
export interface GetListOptions<R> {
  readonly path: ListPath<OptionOf<R, 'path'>>;
  readonly method: 'GET';
  readonly nullable: OptionOf<R, 'nullable'>;
  readonly schema: Collection<OptionOf<R, 'schema'>[]>;
  readonly searchParams: OptionOf<R, 'searchParams'>;
  readonly pagination: OptionOf<R, 'pagination'>;
  readonly paginationField: OptionOf<R, 'paginationField'>;
  /** The path of a member, for `move`. Exists only in types. */
  readonly '~member': OptionOf<R, 'path'>;
  /** The body of `push` and `unshift`. Exists only in types. */
  readonly '~body': FullBody<R>;
}

/** Options of `update`: its body is the `body` of the resource, or a form. */
export interface UpdateOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'PUT';
  readonly schema: OptionOf<R, 'schema'>;
  readonly body: OrForm<FullBody<R>>;
}

/** Options of `partialUpdate`: its body is any part of the `body` of the resource, or a form. */
export interface PartialUpdateOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'PATCH';
  readonly schema: OptionOf<R, 'schema'>;
  readonly body: OrForm<Partial<FullBody<R>>>;
}

/** Options of `delete`: its schema invalidates the deleted record. */
export interface DeleteOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'DELETE';
  readonly schema: OptionOf<R, 'schema'> extends infer S extends EntityClass | Union
    ? Invalidate<S>
    : undefined;
}

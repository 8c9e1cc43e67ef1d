import type { Collection, CollectionOptions } from '../schema/Collection.js';
import type { Invalidate } from '../schema/Invalidate.js';
import type { Denormalize, EntityClass } from '../schema/Schema.js';
import type { Union } from '../schema/Union.js';
import type { ListPath } from './ListPath.js';
import type { OptionOf } from './RestArgs.js';
import type { RestCallbacks, RestShape } from './RestOptions.js';

/** The settings of a resource: its own and those of every endpoint in it. */
export interface ResourceShape extends Omit<
  RestShape,
  'method' | 'sideEffect' | 'content' | 'validate'
> {
  /** The path of one member; without its last placeholder it is the path of the list. */
  readonly path: string;
  /** What one member is. */
  readonly schema: any;
  /** The class of the endpoints. Default: `RestEndpoint`. */
  // `any`: a class with whatever options.
  readonly Endpoint?: abstract new (options: any) => any;
  /** A sample that gives the type of a full body. Default: any part of the entity. */
  readonly body?: any;
  /** A sample that gives the type of the list's search parameters. */
  readonly searchParams?: any;
  /** Says which page of the list, as for `RestEndpoint`: there is then `getList.getPage`. */
  readonly paginationField?: string | undefined;
  /** The class of the list. Default: `Collection`. */
  // `any`: a class for whatever members and options.
  readonly Collection?: new (schema: any, options?: any) => Collection<any, any>;
  /** Arguments that do not decide which created members a list gets, such as a sort order: as for `Collection`. */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'] | undefined;
  /** Whether mutations show at once, before the server has answered. Default: false. */
  readonly optimistic?: boolean | undefined;
  /** Not here, since the endpoints answer with different things: give each its own with `extend`. */
  readonly validate?: undefined;
  readonly [extra: string]: unknown;
}

/** Methods given to `resource()`: each is used by every endpoint, so their arguments are not known. */
export type ResourceCallbacks = RestCallbacks<any>;

/** What mutations take when no `body` is declared: any part of the entity. */
export type PartialEntity<R> = Partial<Denormalize<OptionOf<R, 'schema'>>>;

/** The body that creates and replaces take. */
export type FullBody<R> = OptionOf<R, 'body', PartialEntity<R>>;

/** A form in place of a body: code that reads the fields of a body finds them undefined. */
export type FormOf<B> = FormData & {
  readonly [K in keyof B]?: K extends keyof FormData ? unknown : undefined;
};

/** A body, or a form with its fields. A method that takes no body takes no form either. */
export type OrForm<B> = [B] extends [undefined] ? B : B | FormOf<B>;

/** Options of `get`. */
export interface GetOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'GET';
  readonly nullable: OptionOf<R, 'nullable'>;
  readonly schema: OptionOf<R, 'schema'>;
}

/** Options of `getList`. */
export interface GetListOptions<R> {
  readonly path: ListPath<OptionOf<R, 'path'>>;
  readonly method: 'GET';
  readonly nullable: OptionOf<R, 'nullable'>;
  readonly schema: Collection<OptionOf<R, 'schema'>[]>;
  readonly searchParams: OptionOf<R, 'searchParams'>;
  readonly paginationField: OptionOf<R, 'paginationField'>;
  /** The path of a member, for `move`; for types only. */
  readonly '~member': OptionOf<R, 'path'>;
  /** The body of `push` and `unshift`; for types only. */
  readonly '~body': FullBody<R>;
}

/** Options of `update`. */
export interface UpdateOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'PUT';
  readonly schema: OptionOf<R, 'schema'>;
  readonly body: OrForm<FullBody<R>>;
}

/** Options of `partialUpdate`. */
export interface PartialUpdateOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'PATCH';
  readonly schema: OptionOf<R, 'schema'>;
  readonly body: OrForm<Partial<FullBody<R>>>;
}

/** Options of `delete`. */
export interface DeleteOptions<R> {
  readonly path: OptionOf<R, 'path'>;
  readonly method: 'DELETE';
  readonly schema: OptionOf<R, 'schema'> extends infer S extends EntityClass | Union
    ? Invalidate<S>
    : undefined;
}

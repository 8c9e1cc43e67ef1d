import type { Collection, MemberOf } from '../schema/Collection.js';
import type { Denormalize } from '../schema/Schema.js';
import type { Values } from '../schema/Values.js';
import type { OptionOf } from './RestArgs.js';

/** The collection in a schema: the schema itself, or a collection up to four objects deep. */
// Classes are excluded first, because the static `schema` of a class describes its fields.
export type CollectionIn<S, Depth extends readonly unknown[] = [1, 1, 1, 1]> =
  S extends Collection<any, any>
    ? S
    : S extends ((...args: any) => any) | (abstract new (...args: any) => any)
      ? never
      : Depth extends readonly [unknown, ...infer Rest]
        ? S extends { readonly '~value': unknown; readonly schema: infer I }
          ? CollectionIn<I, Rest>
          : S extends readonly (infer M)[]
            ? CollectionIn<M, Rest>
            : S extends object
              ? { [K in keyof S]: CollectionIn<S[K], Rest> }[keyof S]
              : never
        : never;

/** The body of a create: a record, several records, or a form. */
export type CreateBody<B> = B | readonly B[] | FormData;

/** The options of `push` and `unshift`. `C` is the collection of the list. */
export interface AddOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'POST';
  readonly schema: C['push'];
  readonly body: CreateBody<OptionOf<O, '~body', Partial<MemberIn<C>>>>;
}

/** The options of `assign`. The body contains one record per key. */
export interface AssignOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'POST';
  readonly schema: C['assign'];
  readonly body: Readonly<Record<string, OptionOf<O, '~body', Partial<MemberIn<C>>>>>;
}

/** The value that readers receive for a member of a collection. */
export type MemberIn<C extends Collection<any, any>> = Denormalize<MemberOf<C['schema']>>;

/** Any part of the member's body, or a form. */
export type ChangeBody<O, C extends Collection<any, any>> =
  | Partial<OptionOf<O, '~body', Partial<MemberIn<C>>>>
  | FormData;

/** The options of `remove`, which sends a PATCH to the path of the list. */
export interface RemoveOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'PATCH';
  readonly schema: C['remove'];
  readonly body: ChangeBody<O, C>;
}

/** The options of `move`. In a resource, its path is that of the member, such as `/users/:id`. */
export interface MoveOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, '~member', OptionOf<O, 'path'>>;
  readonly method: 'PATCH';
  readonly schema: C['move'];
  readonly body: ChangeBody<O, C>;
}

/** The options of the endpoints that edit a list, by action. */
export interface ListEdits<O, C extends Collection<any, any>> {
  readonly push: AddOptions<O, C>;
  readonly unshift: AddOptions<O, C>;
  readonly assign: AssignOptions<O, C>;
  readonly remove: RemoveOptions<O, C>;
  readonly move: MoveOptions<O, C>;
}

/** The actions that a collection lacks. A map has no positions, and a list has no keys. */
export type WrongEdit<S> = S extends Values<any> ? 'push' | 'unshift' : 'assign';

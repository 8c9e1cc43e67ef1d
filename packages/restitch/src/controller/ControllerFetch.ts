import type { ArgsOf, EndpointInterface, ValueOf } from '../endpoint/EndpointInterface.js';
import type { CallOf } from './queuedEndpoints.js';
import type { CollectionEdit } from '../schema/CollectionEdit.js';

/** The arguments of a create of several records. `never` if the body takes no array. */
export type ArgsOfMany<A> = A extends readonly [...infer P, infer B]
  ? 0 extends 1 & B
    ? never
    : [Extract<B, readonly unknown[]>] extends [never]
      ? never
      : [...P, Extract<B, readonly unknown[]>]
  : never;

/** The type of `controller.fetch`, for functions that wrap `fetch`. */
export interface ControllerFetch {
  /** A create of several records resolves to an array of them. */
  <E extends EndpointInterface & { readonly schema: CollectionEdit }>(
    endpoint: E,
    ...args: ArgsOfMany<ArgsOf<E>>
  ): Promise<ValueOf<E>[]>;
  /** A call of an `undoable` endpoint can be canceled. */
  <E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): CallOf<E>;
}

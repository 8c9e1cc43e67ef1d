import type { Binding, NodePath } from '@babel/traverse';
import type { Piece } from './edits.js';
import { endOf, type Module, startOf, textOf } from './module.js';
import type { Request } from './request.js';

/**
 * The settings that an instance adds to each request. The class `className` adds the same settings.
 */
export interface BaseOptions {
  readonly className: string;
  /** The name of the constant that is added for an instance without a name. */
  readonly variable?: string | undefined;
  /** The declaration of the class, without `export`. */
  readonly text: string;
  readonly hasUrl: boolean;
  /** The known part of the base URL. */
  readonly baseUrl: string;
  /** The header names as the class spells them, such as `X-Token`. */
  readonly headers: readonly string[];
  readonly hasTimeout: boolean;
  readonly hasCredentials: boolean;
  /** The content-type that the instance sets, in lower case. */
  readonly contentType: string | undefined;
}

/** An entry of the object argument, such as `id: user.id`. */
export interface Entry {
  /** Undefined for a spread. */
  readonly key: string | undefined;
  readonly pieces: readonly Piece[];
}

/**
 * A request while its parts are read. `options`, `names` and `extend` become members of its
 * `Draft`.
 */
export interface Draw {
  readonly module: Module;
  readonly request: Request;
  readonly base: BaseOptions | undefined;
  readonly options: string[];
  readonly names: Binding[];
  readonly extend: Piece[][];
}

/**
 * Returns the source range of a node in the call, so that the edits in this range are kept. A node
 * outside of the call becomes text.
 */
export function pieceOf(
  { module, request }: Pick<Draw, 'module' | 'request'>,
  { node }: NodePath,
): Piece {
  const { call } = request;
  const inside = startOf(node) >= startOf(call.node) && endOf(node) <= endOf(call.node);
  return inside ? [startOf(node), endOf(node)] : textOf(module, node);
}

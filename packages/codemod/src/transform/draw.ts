import type { Binding, NodePath } from '@babel/traverse';
import type { Piece } from './edits.js';
import { endOf, type Module, startOf, textOf } from './module.js';
import type { Request } from './request.js';

/**
 * The settings that an instance gives to each of its requests, and the class that gives the same.
 */
export interface BaseOptions {
  readonly className: string;
  /** The constant that an instance without a name gets. */
  readonly variable?: string | undefined;
  /** The class without `export`. */
  readonly text: string;
  readonly hasUrl: boolean;
  /** The text of its base URL, as far as it is known. */
  readonly baseUrl: string;
  /** The names of the headers, as they are written in the class. */
  readonly headers: readonly string[];
  readonly hasTimeout: boolean;
  readonly hasCredentials: boolean;
  /** The content-type that it sets, in lower case. */
  readonly contentType: string | undefined;
}

/** An entry of the arguments' object. */
export interface Entry {
  /** Undefined for a spread. */
  readonly key: string | undefined;
  readonly pieces: readonly Piece[];
}

/** Collects what reading the parts of a request gives. */
export interface Draw {
  readonly module: Module;
  readonly request: Request;
  readonly base: BaseOptions | undefined;
  readonly options: string[];
  readonly names: Binding[];
  readonly extend: Piece[][];
}

/** The node as it stands, with the edits inside it; as text when it comes from elsewhere. */
export function pieceOf(
  { module, request }: Pick<Draw, 'module' | 'request'>,
  { node }: NodePath,
): Piece {
  const { call } = request;
  const inside = startOf(node) >= startOf(call.node) && endOf(node) <= endOf(call.node);
  return inside ? [startOf(node), endOf(node)] : textOf(module, node);
}

import { isObject } from './same.js';

export interface UnionRef {
  /** The discriminators that select the class. */
  readonly path: readonly string[];
  readonly pk: string;
}

/** Returns the parts of a union reference (see `rowRef`), or undefined for any other value. */
export function parseUnionRef(value: unknown): UnionRef | undefined {
  if (typeof value !== 'string' || !value.startsWith('\0')) {
    return undefined;
  }
  try {
    const parts: unknown = JSON.parse(value.slice(1));
    if (
      !Array.isArray(parts) ||
      parts.length < 2 ||
      parts.some((part) => typeof part !== 'string')
    ) {
      return undefined;
    }
    return { path: parts.slice(0, -1), pk: parts.at(-1) };
  } catch {
    return undefined;
  }
}

/** Deeper values are not searched: a written value can contain itself. */
const DEPTH_LIMIT = 8;

export function hasUnionRef(value: unknown, depth = 0): boolean {
  return (
    parseUnionRef(value) !== undefined ||
    (isObject(value) &&
      depth < DEPTH_LIMIT &&
      Object.values(value).some((item) => hasUnionRef(item, depth + 1)))
  );
}

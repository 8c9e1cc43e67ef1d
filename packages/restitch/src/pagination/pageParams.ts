import { fieldInBody } from '../schema/listSchema.js';
import { isObject } from '../store/cells/plainValues.js';
import type { PageParams } from './PageMark.js';

const NESTED = /^(.+)\[(.+)\]$/;

export function withParams(args: readonly unknown[], params: PageParams): readonly unknown[] {
  const next = [...args];
  for (const [name, value] of Object.entries(params)) {
    const inBody = fieldInBody(name);
    const index = inBody !== undefined && next.length > 1 ? 1 : 0;
    const [, outer, inner] = NESTED.exec(inBody ?? name) ?? [];
    const fields = fieldsOf(next[index]);
    const changed =
      outer === undefined || inner === undefined
        ? { ...fields, [inBody ?? name]: value }
        : { ...fields, [outer]: { ...fieldsOf(fields[outer]), [inner]: value } };
    next[index] = changed;
  }
  return next;
}

export function paramIn(args: readonly unknown[], name: string): unknown {
  const inBody = fieldInBody(name);
  const fields = fieldsOf(args[inBody !== undefined && args.length > 1 ? 1 : 0]);
  const [, outer, inner] = NESTED.exec(inBody ?? name) ?? [];
  return outer === undefined || inner === undefined
    ? fields[inBody ?? name]
    : fieldsOf(fields[outer])[inner];
}

/** Returns the argument of a call that contains a page parameter: `page` for `page[size]`. */
export function argumentOf(name: string): string {
  const field = fieldInBody(name) ?? name;
  return NESTED.exec(field)?.[1] ?? field;
}

function fieldsOf(value: unknown): PageParams {
  return isObject(value) ? value : {};
}

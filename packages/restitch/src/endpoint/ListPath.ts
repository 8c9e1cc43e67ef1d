import { isDevelopment } from '../errors/development.js';
import type { HasSyntax, IsWide } from './PathParams.js';

// Optimization for templates without escapes, groups, wildcards and quotes.
type BeforeLastColon<S extends string> = S extends `${infer A}:${infer B}`
  ? B extends `${string}:${string}`
    ? `${A}:${BeforeLastColon<B>}`
    : A extends `${infer List}/`
      ? List
      : A
  : S;

// General case: `Last` is the text before the last placeholder found so far.
type BeforeLastParam<
  S extends string,
  Before extends string,
  Last extends string,
> = S extends `${infer C}${infer Rest}`
  ? C extends '\\'
    ? Rest extends `${infer Escaped}${infer After}`
      ? BeforeLastParam<After, `${Before}\\${Escaped}`, Last>
      : Last
    : C extends ':' | '*'
      ? Rest extends `"${infer Quoted}"${infer After}`
        ? BeforeLastParam<After, `${Before}${C}"${Quoted}"`, Before>
        : BeforeLastParam<Rest, `${Before}${C}`, Before>
      : BeforeLastParam<Rest, `${Before}${C}`, Last>
  : Last;

type Trim<S extends string> = S extends `${infer A}{/`
  ? A
  : S extends `${infer A}/{`
    ? A
    : S extends `${infer A}${'/' | '{'}`
      ? A
      : S;

// Removes the query of `/users/:id?full=:full`. `/user?id=:id` keeps its query, because only the
// query has a placeholder.
type WithoutQuery<S extends string> = S extends `${infer Path}?${string}`
  ? Path extends `${string}${':' | '*'}${string}`
    ? Path
    : S
  : S;

type BeforeMember<S extends string> = { text: S } extends HasSyntax
  ? Trim<BeforeLastParam<S, '', S>>
  : BeforeLastColon<S>;

/**
 * The path of a list: `/users/:id?full=:full` becomes `/users`. A query after a placeholder is
 * removed. The rest is cut before its last placeholder, and a slash before the cut is removed.
 */
export type ListPath<P> = P extends string
  ? IsWide<P> extends true
    ? string
    : BeforeMember<WithoutQuery<P>>
  : string;

// Skips escaped characters and quoted names, because these can contain a colon.
const BEFORE_LAST = /^((?:\\.|[:*]"(?:\\.|[^"])*"|[^\\"])*)[:*]["$\w\u0080-\uffff]/s;

const NO_BRACES = /\\.|"(\\.|[^"])*"|[^{}]/gs;

/** @throws TypeError when there is no placeholder. */
export function listPath(path: string): string {
  const [withoutQuery = path] = path.split('?', 1);
  const [, before] = BEFORE_LAST.exec(withoutQuery) ?? BEFORE_LAST.exec(path) ?? [];
  if (before === undefined) {
    throw new TypeError(
      isDevelopment
        ? `resource(): the \`path\` ${JSON.stringify(path)} has no placeholder for a member, such as \`/:id\`.`
        : `resource(): ${path}`,
    );
  }
  const list = before.replace(/\{\/$|\/\{$|[/{]$/, '');
  // Closes the groups that the cut left open.
  const braces = list.replace(NO_BRACES, '');
  return list + '}'.repeat(braces.split('{').length - braces.split('}').length);
}

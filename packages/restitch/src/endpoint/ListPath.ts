import { isDevelopment } from '../errors/development.js';
import type { HasSyntax, IsWide } from './PathParams.js';

// The fast way, for paths without escapes, groups, wildcards and quotes: everything up to the last colon, and the slash there.
type BeforeLastColon<S extends string> = S extends `${infer A}:${infer B}`
  ? B extends `${string}:${string}`
    ? `${A}:${BeforeLastColon<B>}`
    : A extends `${infer List}/`
      ? List
      : A
  : S;

// The general way: `Last` is what came before the last placeholder seen so far.
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

/** The path of a list: that of a member up to the last placeholder, without the slash before it. */
export type ListPath<P> = P extends string
  ? IsWide<P> extends true
    ? string
    : { text: P } extends HasSyntax
      ? Trim<BeforeLastParam<P, '', P>>
      : BeforeLastColon<P>
  : string;

// All up to the last placeholder: escaped characters and quoted names are taken whole.
const BEFORE_LAST =
  /^((?:\\.|[:*]"(?:\\.|[^"])*"|[^\\"])*)[:*](?:"(?:\\.|[^"])*"|[$\w\u0080-\uffff])/s;

const NO_BRACES = /\\.|"(\\.|[^"])*"|[^{}]/gs;

/**
 * What `ListPath` is at run time.
 *
 * @throws TypeError when there is no placeholder.
 */
export function listPath(path: string): string {
  const [, before] = BEFORE_LAST.exec(path) ?? [];
  if (before === undefined) {
    throw new TypeError(
      isDevelopment
        ? `resource(): the \`path\` ${JSON.stringify(path)} has no placeholder for a member, such as \`/:id\`.`
        : `resource(): ${path}`,
    );
  }
  const list = before.replace(/\{\/$|\/\{$|[/{]$/, '');
  // A group that the cut left open is closed again.
  const braces = list.replace(NO_BRACES, '');
  return list + '}'.repeat(braces.split('{').length - braces.split('}').length);
}

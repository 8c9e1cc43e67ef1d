/** The value of a placeholder. */
export type PathValue = string | number;

/** The arguments of a path that is unknown at compile time. */
export interface WideParams {
  readonly [name: string]:
    | PathValue
    | boolean
    | readonly (PathValue | boolean)[]
    | Date
    | null
    | undefined;
}

/** Flattens an intersection into one object type, which editors print in short form. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;

/** True for `string` and for a pattern such as `/a/${string}`; false for a literal. */
export type IsWide<S extends string> = {} extends { [K in S]: 1 } ? true : false;

type NameEnd =
  | '/'
  | '.'
  | '-'
  | '?'
  | '&'
  | '='
  | ':'
  | '{'
  | '}'
  | '*'
  | '\\'
  | '"'
  | ','
  | ';'
  | '+'
  | '%'
  | '~'
  | '@'
  | '!'
  | '#'
  | '('
  | ')'
  | '['
  | ']'
  | '<'
  | '>'
  | '^'
  | '|'
  | "'"
  | '`'
  | ' ';

// `id/posts` -> `['id', '/posts']`
type TakeName<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends NameEnd
    ? [Name, S]
    : TakeName<Rest, `${Name}${C}`>
  : [Name, ''];

// After an opening quote: `my id"/posts` -> `['my id', '/posts']`
type TakeQuoted<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends '"'
    ? [Name, Rest]
    : C extends '\\'
      ? Rest extends `${infer Escaped}${infer After}`
        ? TakeQuoted<After, `${Name}${Escaped}`>
        : [Name, '']
      : TakeQuoted<Rest, `${Name}${C}`>
  : [Name, ''];

// Optimization: the compiler compares an interface once, and other types again at each use.
export interface HasSyntax {
  text: `${string}${'\\' | '{' | '*' | '"'}${string}`;
}

interface HasNameEnd {
  text: `${string}${NameEnd}${string}`;
}

// Optimization for templates with only placeholders and plain text.
type PlainNames<S extends string> = S extends `${string}:${infer Head}/${infer Tail}`
  ? { text: Head } extends HasNameEnd
    ? NamesInside<Head, Tail>
    : Head | PlainNames<Tail>
  : S extends `${string}:${infer Rest}`
    ? { text: Rest } extends HasNameEnd
      ? NamesInside<Rest, ''>
      : Rest
    : never;

type NamesInside<Head extends string, Tail extends string> =
  TakeName<Head> extends [infer Name, infer Left extends string]
    ? Name | PlainNames<`${Left}/${Tail}`>
    : never;

// `/:id{/:tab}` -> `!:id | ?:tab`. `Depth` has one brace per open group.
type Tokens<
  S extends string,
  Depth extends string = '',
  Found extends string = never,
> = S extends `${infer C}${infer Rest}`
  ? C extends '\\'
    ? Rest extends `${infer _}${infer After}`
      ? Tokens<After, Depth, Found>
      : Found
    : C extends '{'
      ? Tokens<Rest, `{${Depth}`, Found>
      : C extends '}'
        ? Tokens<Rest, Depth extends `{${infer Outer}` ? Outer : '', Found>
        : C extends ':' | '*'
          ? (Rest extends `"${infer Quoted}` ? TakeQuoted<Quoted> : TakeName<Rest>) extends [
              infer Name extends string,
              infer Left extends string,
            ]
            ? Tokens<Left, Depth, Found | `${Depth extends '' ? '!' : '?'}${C}${Name}`>
            : never
          : Tokens<Rest, Depth, Found>
  : Found;

type TokenParams<T extends string> = Flat<
  { readonly [K in T as K extends `!:${infer Name}` ? Name : never]: PathValue } & {
    readonly [K in T as K extends `!*${infer Name}` ? Name : never]: readonly string[];
  } & {
    readonly [K in T as K extends `?:${infer Name}` ? Name : never]?: PathValue | undefined;
  } & {
    readonly [K in T as K extends `?*${infer Name}` ? Name : never]?: readonly string[] | undefined;
  }
>;

/**
 * The arguments of a path template.
 *
 * @example
 * ```ts
 * import type { PathParams } from 'restitch';
 *
 * const params: PathParams<'/users/:id{/posts/:postId}'> = { id: 5 };
 * ```
 */
export type PathParams<P> = P extends string
  ? IsWide<P> extends true
    ? WideParams
    : { text: P } extends HasSyntax
      ? TokenParams<Tokens<P>>
      : { [K in PlainNames<P> & string]: PathValue }
  : WideParams;

// Everything here runs inside the compiler, once per distinct path literal.

/** What a placeholder takes. */
export type PathValue = string | number;

/** Arguments of a path that is not known at compile time. */
export interface WideParams {
  readonly [name: string]:
    | PathValue
    | boolean
    | readonly (PathValue | boolean)[]
    | Date
    | null
    | undefined;
}

/** Shows an intersection as one object type, also where an editor prints it. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;

/** Whether text is `string` or a pattern such as `/a/${string}`, rather than literals. */
export type IsWide<S extends string> = {} extends { [K in S]: 1 } ? true : false;

// The ASCII characters that end a placeholder's name.
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

// The name at the start of a text, and what follows it.
type TakeName<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends NameEnd
    ? [Name, S]
    : TakeName<Rest, `${Name}${C}`>
  : [Name, ''];

// The same after an opening quote; a backslash makes the next character literal.
type TakeQuoted<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends '"'
    ? [Name, Rest]
    : C extends '\\'
      ? Rest extends `${infer Escaped}${infer After}`
        ? TakeQuoted<After, `${Name}${Escaped}`>
        : [Name, '']
      : TakeQuoted<Rest, `${Name}${C}`>
  : [Name, ''];

/** An object whose text needs the general way of parsing. */
// Patterns are wrapped in interfaces because the compiler would instantiate each of them anew wherever it is compared.
export interface HasSyntax {
  text: `${string}${'\\' | '{' | '*' | '"'}${string}`;
}

interface HasNameEnd {
  text: `${string}${NameEnd}${string}`;
}

// The fast way, for paths that hold placeholders and plain text only: split at colons; a name mostly ends at a slash.
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

// The general way, character by character. A token is `!` (required) or `?` (in a group), then `:` or `*`, then the name;
// `Depth` holds one brace per open group.
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
 * The arguments that a path template asks for.
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

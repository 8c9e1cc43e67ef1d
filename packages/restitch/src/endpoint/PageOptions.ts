import type { Collection } from '../schema/Collection.js';
import type { MethodOf, OptionOf, SideEffectOf } from './RestArgs.js';
import type { Merge } from './RestOptions.js';

/** The schema of a further page: `{ results: users }` becomes `{ results: users.getPage }`. */
export type PageSchema<S> =
  S extends Collection<any, any>
    ? S['getPage']
    : S extends
          | { readonly '~value': unknown }
          | ((...args: any) => any)
          | (abstract new (...args: any) => any)
      ? S
      : S extends object
        ? { readonly [K in keyof S]: PageSchema<S[K]> }
        : S;

type MembersOf<S> = unknown extends S ? {} : [S] extends [undefined] ? {} : Exclude<S, undefined>;

/** The page parameter with its declared type. Default type: a plain value. */
export type PageField<S, F extends string> = {
  readonly [K in F]: K extends keyof S ? Exclude<S[K], undefined> : string | number | boolean;
};

/** Like `PageField`. The parameter `page[number]` is the member `number` of the object `page`. */
export type PageFields<S, F extends string> = F extends `${infer A}[${infer B}]`
  ? A extends keyof S
    ? { readonly [K in A]: PageField<Exclude<S[A], undefined>, B> }
    : PageField<S, F>
  : PageField<S, F>;

/** The search parameters with the page parameter. */
export type PageSearch<S, F extends string> = PageFields<MembersOf<S>, F> &
  (unknown extends S
    ? { readonly [name: string]: any }
    : [S] extends [undefined]
      ? unknown
      : undefined extends S
        ? Partial<Exclude<S, undefined>>
        : S);

/** The options for further pages. `F` is a search parameter, or a body member: `body.cursor`. */
export type PageOptions<O, F extends string> = F extends `body.${infer K}`
  ? Merge<
      O,
      {
        readonly body: PageFields<MembersOf<OptionOf<O, 'body'>>, K> &
          MembersOf<OptionOf<O, 'body'>>;
        readonly schema: PageSchema<OptionOf<O, 'schema'>>;
        readonly pagination: undefined;
        readonly paginationField: undefined;
      }
    >
  : Merge<
      O,
      {
        readonly searchParams: PageSearch<OptionOf<O, 'searchParams'>, F>;
        readonly schema: PageSchema<OptionOf<O, 'schema'>>;
        readonly pagination: undefined;
        readonly paginationField: undefined;
        readonly $page: true;
      }
    >;

/** The options of a page endpoint that has its own arguments. */
export interface PageOptionsBy<O, A extends readonly any[]> {
  /** Accepts the arguments of a page request. */
  readonly url: (...args: A) => string;
  readonly method: MethodOf<O>;
  readonly sideEffect: SideEffectOf<O>;
  readonly nullable: OptionOf<O, 'nullable'>;
  readonly schema: PageSchema<OptionOf<O, 'schema'>>;
}

/** The parts of a generated program. The text is written by `write.ts`; everything here is data, so that it can shrink. */
import type { AdapterName } from './clients.js';

/** The arguments that functions of programs take, by the names of their parameters. */
export interface Inputs {
  readonly id: string | number;
  readonly slug: string;
  readonly user: { readonly id: number; readonly _id: string; readonly name: string };
  readonly item: { readonly id: string; readonly kind: string };
  readonly page: number;
  readonly term: string;
  readonly flag: boolean;
  readonly tags: readonly string[];
  readonly nothing: null | undefined;
  readonly filter: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly token: string;
  /** The number of milliseconds after which the signal aborts; none means never. */
  readonly signal: number | undefined;
}

export type InputName = keyof Inputs;

/** An expression of a program. */
export interface Expression {
  readonly text: string;
  /** The parameters that it reads. */
  readonly reads: readonly InputName[];
  /** For the table of shares. */
  readonly kind: string;
  /** True if its value is already percent-encoded. */
  readonly encoded?: boolean;
  /** Statements that it needs before its own. */
  readonly setup?: readonly string[];
  /** True if only TypeScript has it; without it, its first parameter stands there. */
  readonly typeScript?: boolean;
}

/** A piece of a path between two slashes: text and values in turn. */
export type Segment = readonly (string | Expression)[];

export interface QueryPair {
  readonly key: string;
  readonly value: string | Expression;
}

/** `absolute`: in the text. `constant`, `imported`, `environment`: `${BASE}/…`. `slashed`: `${ROOT}…`. `relative`: none, or that of the instance. */
export type UrlStart =
  | 'absolute'
  | 'constant'
  | 'imported'
  | 'environment'
  | 'slashed'
  | 'relative';

export interface Url {
  readonly start: UrlStart;
  readonly leadingSlash: boolean;
  readonly segments: readonly Segment[];
  readonly query: readonly QueryPair[];
  /** `'/users/' + id` instead of a template. */
  readonly concatenated: boolean;
  /** The place of the text. */
  readonly stands: 'in the call' | 'in a local constant' | 'in a constant of the module';
}

/** A member of an object literal. Without a value it is shorthand; `...` spreads. */
export interface Member {
  readonly key: string;
  readonly value: Expression;
}

export interface Config {
  readonly params?: readonly Member[] | Expression | undefined;
  readonly headers?: readonly Member[] | undefined;
  readonly timeout?: string | undefined;
  readonly responseType?: 'blob' | 'arraybuffer' | 'text' | 'json' | undefined;
  readonly withCredentials?: boolean | undefined;
  readonly auth?: 'literal' | 'local' | undefined;
  readonly signal?: boolean | undefined;
  /** A body in the configuration of a method that takes none as an argument. */
  readonly data?: Expression | undefined;
  /** An option that no table mentions, as text. */
  readonly other?: string | undefined;
  /** The place of the object. */
  readonly bound: 'inline' | 'local' | 'module';
}

export type Method = 'get' | 'delete' | 'head' | 'options' | 'post' | 'put' | 'patch';

export type Callee = 'axios' | 'instance';

/** `method`: `x.get(url)`. `config`: `x({ url })`. `urlConfig`: `x(url, {})`. `request`: `x.request({ url })`. */
export type CallForm = 'method' | 'config' | 'urlConfig' | 'request';

export type ResultShape =
  | 'await data'
  | 'await member of data'
  | 'destructured'
  | 'destructured and renamed'
  | 'destructured deeply'
  | 'destructured with a default'
  | 'variable, only data read'
  | 'variable assigned later'
  | 'then arrow'
  | 'then destructured'
  | 'then function'
  | 'then and catch'
  | 'then and catch status'
  | 'then with two handlers'
  | 'then and finally'
  | 'then twice'
  | 'Promise.all'
  | 'unused'
  | 'response returned'
  | 'response passed on'
  | 'status read'
  | 'status destructured'
  | 'then status';

export type Placement =
  | 'function'
  | 'arrow'
  | 'arrow with an expression'
  | 'class method'
  | 'static method'
  | 'object method'
  | 'nested callback'
  | 'loop'
  | 'try with isAxiosError'
  | 'try with isAxiosError by name'
  | 'try with error.response'
  | 'try with another catch'
  | 'module, chained'
  | 'module, initializer';

export interface Call {
  readonly name: string;
  readonly callee: Callee;
  readonly form: CallForm;
  readonly method: Method;
  readonly url: Url;
  readonly config: Config;
  readonly body: Expression | undefined;
  readonly result: ResultShape;
  readonly placement: Placement;
  /** Type arguments, in TypeScript. */
  readonly typed: boolean;
  readonly commented: boolean;
  /** `{ id, page }` instead of `id, page`. */
  readonly destructured: boolean;
  readonly inputs: Inputs;
}

export interface Instance {
  readonly name: string;
  /** `same`: in the file of the calls. `index`: exported again by an index file. `default`: a default export. */
  readonly place: 'same' | 'file' | 'index' | 'default' | 'renamed';
  readonly base:
    | 'literal'
    | 'literal with a slash'
    | 'constant'
    | 'environment'
    | 'relative'
    | 'none';
  readonly headers: readonly Member[];
  readonly timeout: 'none' | 'literal' | 'constant';
  readonly withCredentials: boolean;
  /** `api: AxiosInstance`, in TypeScript. */
  readonly annotated: boolean;
  /** An option that no class has an equivalent for, or one that the requests share. */
  readonly other: string | undefined;
  /** Something that needs the instance itself. */
  readonly stays:
    | 'no'
    | 'defaults'
    | 'interceptor'
    | 'response interceptor'
    | 'unwrapping interceptor'
    | 'passed';
}

/** The way in which the file of the calls gets axios. */
export type ImportStyle = 'default' | 'renamed' | 'namespace' | 'default by name';

export type Language = 'ts' | 'tsx' | 'js' | 'mjs' | 'cjs';

export type Hazard =
  | 'directive'
  | 'licence'
  | 'taken endpoint name'
  | 'taken class name'
  | 'shadowed axios'
  | 'shadowed endpoint'
  | 'foreign api'
  | 'type import';

export interface Program {
  readonly language: Language;
  readonly adapter: AdapterName;
  readonly quote: "'" | '"';
  readonly semicolons: boolean;
  readonly crlf: boolean;
  readonly todo: boolean;
  /** True if nothing may go over the bridge. */
  readonly withoutAxios: boolean;
  readonly instance: Instance;
  readonly importStyle: ImportStyle;
  /** The changes that another file makes to axios itself. */
  readonly setup: 'none' | 'defaults' | 'interceptor';
  /** True if every other call stands in a second file. */
  readonly split: boolean;
  readonly hazards: readonly Hazard[];
  readonly calls: readonly Call[];
}

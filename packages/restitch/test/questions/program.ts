/** The vocabulary of the model: what a program declares, and the steps that it takes. Plain data, so that it can be generated and printed. */

import type { Stage } from './kit.js';

export const IDS = ['1', '2', '3', '4', '5'] as const;

/** Fields that a class declares with a default, by its size; `group` is always there, without a default. */
export const FIELDS = [['title'], ['title', 'body'], ['title', 'body', 'extra']] as const;

export interface ClassSpec {
  /** `Function.name`: a minifier gives several classes one, or none. */
  readonly name: 'a' | 'Row' | '';
  /** Whether it has the explicit `static key` of its table. */
  readonly hasKey: boolean;
  /** The server's table that its rows are of. */
  readonly table: 0 | 1;
  readonly size: 0 | 1 | 2;
  readonly isPartial: boolean;
  readonly trait: Trait;
}

export type Nest = 'none' | 'own' | 'nestKey';

/**
 * What a class makes of responses. `vanishing`: its `process` gives nothing for row 2. `picky`: its `validate` refuses a row that lacks a
 * field. `stubborn`: its `shouldUpdate` keeps the older row.
 */
export type Trait = 'plain' | 'vanishing' | 'picky' | 'stubborn';

/** The responses of the server to the paths that end in one name, the same for every caller. */
export interface SpaceSpec {
  /** Lists: as such, as `{ results, next }`, or as `{ data: { results }, next }`. */
  readonly envelope: 0 | 1 | 2;
  readonly isMap: boolean;
  /** How many of `FIELDS[2]` a list has of each row. */
  readonly summary: 1 | 3;
  /** How many of them the record at its own URL has. */
  readonly detail: 2 | 3;
  /** Records of table 0 hold rows of table 1. */
  readonly isNesting: boolean;
  /** Lists come two rows at a time; only within an envelope. */
  readonly isPaged: boolean;
}

export type SpaceNumber = 0 | 1 | 2;

export interface ListSpec {
  readonly container: 'collection' | 'array';
  /** `home`: without a name. `object`: without a name, one object for every endpoint of the class. */
  readonly naming: 'home' | 'name' | 'object';
}

export type Asks = 'query' | 'path' | 'default';

/** The last ones are of plain values: each does something of its own with responses. */
export type DerivedChange =
  | 'path'
  | 'urlPrefix'
  | 'schema'
  | 'method'
  | 'searchParams'
  | 'url'
  | Stage;

export type BindOrder = 'bind' | 'bind, extend' | 'extend, bind';

/** How reads are sent: the last two without a body, and without a side effect. */
export type Method = 'GET' | 'POST' | 'QUERY';

export const GROUPS = ['x', 'y'] as const;
export type Group = (typeof GROUPS)[number];

export type EndpointSpec =
  /** `resource()`, or with scopes its endpoints by `hookifyResource` for two users. */
  | {
      readonly type: 'resource';
      readonly cls: number;
      readonly space: SpaceNumber;
      readonly prefix: 0 | 1;
      readonly list: ListSpec;
      readonly hasScopes: boolean;
      /** Its changes and deletes show at once; it creates nothing. */
      readonly isOptimistic: boolean;
    }
  /** `new RestEndpoint` that reads a list. */
  | {
      readonly type: 'list';
      /** How it is asked for one group: by the query, by an optional parameter of the path, or always by a default of the query. */
      readonly asks: Asks;
      /** The group that is the default, if there is one. */
      readonly preset: Group;
      readonly cls: number;
      readonly space: SpaceNumber;
      readonly prefix: 0 | 1;
      readonly list: ListSpec;
    }
  /** A read with a body, of a list or of a plain value. */
  | {
      readonly type: 'search';
      readonly cls: number;
      readonly list: ListSpec | undefined;
    }
  /** The lists that records hold, at a path of their own: with the very `Collection` that is nested in them. */
  | { readonly type: 'items'; readonly cls: number; readonly hasScopes: boolean }
  /** `new RestEndpoint` without a schema. */
  | { readonly type: 'value' }
  /** `extend` of another endpoint. */
  | {
      readonly type: 'derived';
      readonly from: number;
      readonly change: DerivedChange;
      readonly to: number;
    }
  /** `bind` of another endpoint, alone, or with `extend` before or after it. */
  | {
      readonly type: 'bound';
      readonly from: number;
      readonly order: BindOrder;
      readonly change: DerivedChange;
      readonly to: number;
    }
  /** A create at a path of its own, with the schema of another list's `push`. */
  | { readonly type: 'import'; readonly from: number }
  /** `new Invalidate` by hand. */
  | { readonly type: 'invalidate'; readonly cls: number }
  /** `new Endpoint(function)`. */
  | {
      readonly type: 'function';
      readonly name: 'load' | '';
      readonly binds: boolean;
      /** Which of the arguments it is called with: some, beginning with this one. */
      readonly first: number;
      readonly cls: number;
      readonly list: ListSpec | undefined;
    };

export const OUTDATING = ['invalidate', 'invalidateAll', 'expireAll'] as const;
/** By `expireWhere` or `invalidateWhere`. */
export const OUTDATING_WHERE = ['ofEndpoint', 'ofArgs', 'ofClass', 'ofRow', 'hideRow'] as const;
export type Outdating = (typeof OUTDATING | typeof OUTDATING_WHERE)[number];

/** Numbers pick among what there is then, modulo its count. */
export type Step =
  | { readonly type: 'mount'; readonly question: number; readonly suspends: boolean }
  | { readonly type: 'leave'; readonly reader: number }
  | { readonly type: 'fetch'; readonly question: number }
  | { readonly type: 'page'; readonly question: number }
  | { readonly type: 'mutate'; readonly mutation: number; readonly id: number }
  | { readonly type: 'set'; readonly cls: number; readonly id: number }
  | { readonly type: 'add'; readonly question: number }
  | {
      readonly type: 'outdate';
      readonly how: Outdating;
      readonly question: number;
      readonly id: number;
    }
  /** The page is seen again, or the network is back. */
  | { readonly type: 'wake'; readonly isReconnect: boolean }
  | {
      readonly type: 'elsewhere';
      readonly what: 'edit' | 'insert' | 'drop' | 'delete';
      readonly pick: number;
    }
  | { readonly type: 'respond'; readonly flight: number; readonly ending: Ending }
  | { readonly type: 'wait'; readonly isLong: boolean }
  | { readonly type: 'sweep' }
  | { readonly type: 'signOut'; readonly how: SignOut };

/** `reset`: the next user is there at once. `logout`: readers wait for the next one. */
export type SignOut = 'reset' | 'logout';

export interface Ending {
  /** `none`: 204. `odd`: JSON that is neither a row nor a list. `refuse`: 401. */
  readonly how: 'respond' | 'none' | 'odd' | 'fail' | 'refuse';
  /** The response to a read holds the state of the server when it was sent. */
  readonly isEarly: boolean;
  /** Which of its possible responses a mutation gets. */
  readonly form: number;
}

export interface Program {
  readonly classes: readonly ClassSpec[];
  readonly spaces: readonly [SpaceSpec, SpaceSpec, SpaceSpec];
  readonly endpoints: readonly EndpointSpec[];
  /** Which lists the records of table 0 hold: of rows of the first class of table 1. */
  readonly nest: Nest;
  /** Whether lists are also asked for one group alone. */
  readonly hasGroups: boolean;
  /** Whether a getter of every endpoint says whose data it is, and which. */
  readonly tenants: 'none' | 'urlPrefix' | 'service';
  readonly steps: readonly Step[];
}

/** The element that a number of a program picks; undefined of nothing. */
export function pick<T>(from: readonly T[], number: number): T | undefined {
  return from[number % from.length];
}

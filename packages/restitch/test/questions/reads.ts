/** A read as it is declared: where it is and what it makes of the response. `extend` changes some of it. */
import type { Declared } from './classes.js';
import type { Wire } from './flights.js';
import { homeOf } from './lists.js';
import type { ListSpec, SpaceSpec } from './program.js';
import type { AnyEndpoint, ListRead } from './questions.js';

export const PREFIXES = ['https://a', 'https://b'] as const;

interface Place {
  readonly label: string;
  readonly endpoint: AnyEndpoint;
  readonly prefix: string;
}

interface Rows extends Place {
  readonly cls: Declared;
  readonly space: number;
  /** Whose it is; empty without a scope. */
  readonly user: string;
}

export interface DeclaredList extends Rows {
  readonly type: 'list';
  readonly list: ListSpec;
  readonly form: SpaceSpec;
}

export type Read =
  | DeclaredList
  | (Rows & { readonly type: 'record' })
  | (Place & { readonly type: 'value'; readonly by: string | undefined });

/** What a declared list is asked, and which list that is. */
export function readAt(
  { cls, prefix, space, user, list, form }: DeclaredList,
  group: string | undefined,
): { readonly wire: Pick<Wire, 'url' | 'auth'>; readonly reads: ListRead } {
  const address = `${prefix}/t${cls.spec.table}/s${space}`;
  const filter = group === undefined ? '' : `group=${group}`;
  const home = homeOf(cls, list, form, `${address} ${user}`);
  return {
    wire: { url: filter ? `${address}?${filter}` : address, auth: user },
    reads: { type: 'list', cls, home, group, filter, space: form },
  };
}

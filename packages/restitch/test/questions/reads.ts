/** A read as it is declared: where it is and what it makes of the response. `extend` changes some of it. */
import type { Declared } from './classes.js';
import type { Wire } from './flights.js';
import { STAGES, type Stage } from './kit.js';
import { homeOf, variantOf } from './lists.js';
import type { Asks, Group, ListSpec, Method, SpaceSpec } from './program.js';
import type { AnyEndpoint, ListRead } from './questions.js';

export const USERS = ['ann', 'bob'];

export const PREFIXES = ['https://a', 'https://b'] as const;

interface Place {
  readonly label: string;
  readonly endpoint: AnyEndpoint;
  readonly prefix: string;
  readonly method: Method;
  /** What its `searchParams` say where a call says nothing. */
  readonly preset: Group | undefined;
  /** It has a `url` of its own, which adds to the query. */
  readonly isTranslated: boolean;
  readonly tenant?: number | undefined;
}

interface Rows extends Place {
  readonly cls: Declared;
  readonly space: number;
  /** Whose it is; empty without a scope. */
  readonly user: string;
  /** What stands for the prefix in keys and homes, and says whose data it is. */
  readonly service?: string | undefined;
}

export const authOf = ({ user, service }: Pick<Rows, 'user' | 'service'>): string =>
  service ?? user;

export interface DeclaredList extends Rows {
  readonly type: 'list';
  readonly list: ListSpec;
  readonly form: SpaceSpec;
  readonly asks: Asks;
  readonly variant: string;
  readonly isResource: boolean;
  /** Of a resource whose mutations show before their responses arrive. */
  readonly isOptimistic: boolean;
}

export type Read =
  | DeclaredList
  | (Rows & { readonly type: 'record' })
  | (Place & { readonly type: 'value'; readonly tags: Tags });

/** What each stage adds to a plain value. */
export type Tags = Partial<Record<Stage, string>>;

export const tagsOf = (tags: Tags): readonly string[] =>
  STAGES.flatMap((stage) => tags[stage] ?? []);

export const variantOfTags = (tags: Tags): string => tagsOf(tags).join();

export const addressOf = ({ cls, prefix, space }: Pick<Rows, 'cls' | 'prefix' | 'space'>): string =>
  `${prefix}/t${cls.spec.table}/s${space}`;

/** The group that is asked for where a call names none. */
export const presetOf = (read: Read): Group | undefined =>
  read.type === 'list' && read.asks !== 'default' ? undefined : read.preset;

/** The URL that a read asks for. */
export function urlOf({ isTranslated }: Pick<Place, 'isTranslated'>, url: string): string {
  return isTranslated ? translated(url) : url;
}

export const translated = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}lang=en`;

/** What comes behind the address in the path of a list. */
export const templateOf = (asks: Asks): string => (asks === 'path' ? '{/g/:group}' : '');

/**
 * Apart from a list at the same URL, whose path is another template. A plain array belongs to its request, whatever made that, and a
 * named list to its name (2.4): two endpoints that read it at one URL ask one question.
 */
export const variantOfList = (cls: Declared, list: ListSpec, asks: Asks): string =>
  variantOf(cls, list) +
  (list.container === 'array' || list.naming === 'name' ? '' : templateOf(asks));

/** What a declared list is asked, and which list that is. */
export function readAt(
  read: DeclaredList,
  group: string | undefined,
): { readonly wire: Pick<Wire, 'method' | 'url' | 'auth'>; readonly reads: ListRead } {
  const { cls, user, list, form, asks, method } = read;
  const address = addressOf(read);
  const filter = group === undefined ? '' : `group=${group}`;
  // Another method asks something else of one URL.
  // So does an own `url`, which may read what the endpoint has of its own.
  const added = read.isTranslated ? `?lang=en ${read.variant}` : '';
  const place = `${read.service ?? ''} ${method === 'GET' ? '' : `${method} `}${address}${templateOf(asks)}${added}`;
  const home = homeOf(cls, list, form, place, user);
  const asked = asks === 'path' ? `/g/${group}` : `?${filter}`;
  return {
    wire: { method, url: urlOf(read, filter ? address + asked : address), auth: authOf(read) },
    reads: { type: 'list', cls, home, group, filter, space: form },
  };
}

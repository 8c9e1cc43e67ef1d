/** Questions and mutations: an endpoint with arguments, and what the rules say that it is about. */
import type { EndpointInterface } from 'restitch';
import type { Declared } from './classes.js';
import { wireText, type Wire } from './flights.js';
import type { SpaceSpec } from './program.js';

/** An endpoint of whatever kind, with the members that lists have. */
export interface AnyEndpoint extends EndpointInterface {
  readonly schema?: unknown;
  readonly push?: AnyEndpoint | undefined;
  readonly unshift?: AnyEndpoint | undefined;
  readonly remove?: AnyEndpoint | undefined;
  readonly move?: AnyEndpoint | undefined;
  readonly getPage?: AnyEndpoint | undefined;
}

export type Reads =
  | { readonly type: 'record'; readonly cls: Declared; readonly id: string }
  | ListRead
  /** A response that nothing is normalized of, with what the endpoint adds to it. */
  | { readonly type: 'value'; readonly tags: readonly string[] };

export interface ListRead {
  readonly type: 'list';
  readonly cls: Declared;
  /** Which kind of list (identity 2.1 to 2.4); undefined of a plain array, which belongs to its own question. */
  readonly home: string | undefined;
  /** The home of the lists in records that edits of this one change too. */
  readonly inRecords?: string | undefined;
  /** The arguments that filter. */
  readonly group: string | undefined;
  readonly owner?: string | undefined;
  /** Every argument, as text. */
  readonly filter: string;
  readonly space: SpaceSpec;
}

export interface Question {
  readonly label: string;
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  /** What names the list beside its schema: the bound arguments too. */
  readonly named: readonly unknown[];
  /** The request that it sends. */
  readonly wire: string;
  /** See `Flight`. */
  readonly variant: string;
  readonly reads: Reads;
  /** At which it is asked. */
  readonly tenant?: number | undefined;
}

export interface Mutation {
  readonly label: string;
  readonly type: 'create' | 'update' | 'delete' | 'remove' | 'move' | 'invalidate';
  readonly endpoint: AnyEndpoint;
  readonly cls: Declared;
  /** The list that it edits. */
  readonly list: ListRead | undefined;
  /** It shows before its response arrives. */
  readonly isOptimistic: boolean;
  readonly tenant?: number | undefined;
  args(id: string, body: Readonly<Record<string, string>>): readonly unknown[];
}

/** A question from its parts. */
export function question(
  label: string,
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  wire: Partial<Wire> & Pick<Wire, 'url'>,
  variant: string,
  reads: Reads,
  named: readonly unknown[] = args,
): Question {
  const sent = wireText({ method: 'GET', body: '', auth: '', ...wire });
  return { label: `${label}(${show(args)})`, endpoint, args, named, wire: sent, variant, reads };
}

/** Arguments as a text that distinguishes the same as the rules do (identity 3.2). */
export function show(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof Map) return `Map ${show([...value])}`;
  if (value instanceof Set) return `Set ${show([...value])}`;
  if (value instanceof URL) return `URL ${value.href}`;
  if (Array.isArray(value)) return value.map(show).join();
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${name}:${show(member)}`).join()}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

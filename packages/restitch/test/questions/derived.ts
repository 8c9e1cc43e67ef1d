/** Endpoints made by `extend`. */
import type { Declared } from './classes.js';
import { Api, type Kit } from './kit.js';
import { pagesOf, type Lists } from './lists.js';
import { GROUPS, pick, type EndpointSpec, type Program } from './program.js';
import {
  addressOf,
  PREFIXES,
  variantOfList,
  translated,
  variantOfTags,
  type Read,
} from './reads.js';

type Derived = Pick<Extract<EndpointSpec, { readonly type: 'derived' }>, 'change' | 'to'>;

export interface Ground {
  readonly spaces: Program['spaces'];
  /** The class that `extend({ schema })` gives. */
  readonly cls: Declared;
  readonly kit: Kit;
  readonly lists: Lists;
  readonly label: string;
}

/** What `extend` makes of a read; undefined where the change makes no sense for it. */
export function derive(read: Read, { change, to }: Derived, ground: Ground): Read | undefined {
  const label = `${ground.label}, ${read.label} with another ${change}`;
  if (change === 'method') {
    const method = read.method === 'POST' || to === 0 ? 'QUERY' : 'POST';
    const sent = { method, body: undefined, sideEffect: false };
    return { ...read, label, method, endpoint: read.endpoint.extend(sent) };
  }
  if (change === 'searchParams') {
    const preset = pick(GROUPS, to);
    // A record has its whole address in its path, and so has a list that is asked by it.
    const hasSearch = read.type === 'value' || (read.type === 'list' && read.asks !== 'path');
    if (!hasSearch) return undefined;
    const endpoint = read.endpoint.extend({ searchParams: { group: preset } });
    const own = { label, preset, endpoint };
    return read.type === 'list' ? { ...read, ...own, asks: 'default' } : { ...read, ...own };
  }
  if (change === 'url') {
    const url = function url(this: Api, ...args: readonly unknown[]): string {
      return translated(Api.prototype.url.call(this, ...args));
    };
    return { ...read, label, isTranslated: true, endpoint: read.endpoint.extend({ url }) };
  }
  if (change !== 'path' && change !== 'urlPrefix' && change !== 'schema') {
    if (read.type !== 'value') return undefined;
    const tags = { ...read.tags, [change]: `${change} ${to}` };
    const tagged = ground.kit.tagging(read.endpoint, change, `${change} ${to}`);
    return { ...read, label, tags, endpoint: tagged.extend({ variant: variantOfTags(tags) }) };
  }
  if (read.type === 'value') return undefined;
  if (change === 'urlPrefix') {
    const prefix = read.prefix === PREFIXES[0] ? PREFIXES[1] : PREFIXES[0];
    return { ...read, label, prefix, endpoint: read.endpoint.extend({ urlPrefix: prefix }) };
  }
  return change === 'path' ? elsewhere(read, to, label, ground) : asClass(read, label, ground);
}

function elsewhere(
  read: Exclude<Read, { type: 'value' }>,
  to: number,
  label: string,
  { spaces, lists }: Ground,
): Read | undefined {
  const space = to % spaces.length;
  const form = spaces[space];
  if (!form || space === read.space) return undefined;
  const path = `/t${read.cls.spec.table}/s${space}`;
  if (read.type === 'record') {
    return { ...read, label, space, endpoint: read.endpoint.extend({ path: `${path}/:id` }) };
  }
  const isAlike =
    form.envelope === read.form.envelope &&
    form.isMap === read.form.isMap &&
    form.isPaged === read.form.isPaged;
  const schema = isAlike ? undefined : lists.schema(read.cls, read.list, form, read.prefix + path);
  const paged = { paginationField: undefined, ...pagesOf(read.list, form) };
  const options = isAlike ? { path } : { path, schema, ...paged };
  // Its `move` goes to the path of a member still, which is not where it reads.
  // A path of its own has no optional part.
  const asks = read.asks === 'path' ? 'query' : read.asks;
  const variant = variantOfList(read.cls, read.list, asks);
  return {
    ...read,
    label,
    space,
    form,
    asks,
    variant,
    isResource: false,
    endpoint: read.endpoint.extend({ ...options, variant }),
  };
}

function asClass(
  read: Exclude<Read, { type: 'value' }>,
  label: string,
  { cls, lists }: Ground,
): Read | undefined {
  if (cls === read.cls || cls.spec.table !== read.cls.spec.table) return undefined;
  if (read.type === 'record') {
    const endpoint = read.endpoint.extend({ schema: cls.entity, variant: cls.label });
    return { ...read, label, cls, endpoint };
  }
  const schema = lists.schema(cls, read.list, read.form, addressOf(read));
  const variant = variantOfList(cls, read.list, read.asks);
  const endpoint = read.endpoint.extend({ schema, variant });
  return { ...read, label, cls, variant, endpoint };
}

/** Makes the endpoints of a program, and the questions and mutations that they offer. */
import { Invalidate } from 'restitch';
import { binding, unbound, type Asks, type Call } from './bound.js';
import { declareClasses, type Declared } from './classes.js';
import { derive, type Ground } from './derived.js';
import type { Flights } from './flights.js';
import { functionQuestions } from './functions.js';
import { itemsAt } from './items.js';
import { LIBRARY, type Api, type Endpoints, type Kit } from './kit.js';
import { homeOf, Lists, pagesOf, variantOf } from './lists.js';
import { pick, type EndpointSpec, type Program } from './program.js';
import {
  question,
  type AnyEndpoint,
  type ListRead,
  type Mutation,
  type Question,
  type Reads,
} from './questions.js';
import { forTenants, TenantApi, type Tenants } from './tenants.js';
import {
  addressOf,
  authOf,
  PREFIXES,
  presetOf,
  readAt,
  tagsOf,
  templateOf,
  urlOf,
  USERS,
  variantOfList,
  variantOfTags,
  type DeclaredList,
  type Read,
} from './reads.js';
import { PLAIN } from './routes.js';

/** How a read is sent that says nothing of it. */
const SENT = { method: 'GET', preset: undefined, isTranslated: false } as const;
/** Bodies of searches: each is a question of its own. */
const BODIES: readonly object[] = [{ q: 'x' }, { q: null }, {}, { q: 'null' }];

type Spec<T extends EndpointSpec['type']> = Extract<EndpointSpec, { readonly type: T }>;

export class Declarations {
  readonly classes: readonly Declared[];
  readonly questions: Question[] = [];
  readonly mutations: Mutation[] = [];
  readonly tenants: Tenants | undefined;
  readonly #program: Program;
  readonly #common: { readonly flights: Flights };
  readonly #reads: (readonly Read[])[] = [];
  readonly #lists: Lists;
  readonly #kit: Kit;

  constructor(program: Program, flights: Flights, kit: Kit) {
    this.#kit = kit;
    this.#lists = new Lists(kit);
    this.#program = program;
    this.#common = { flights };
    const { tenants: by } = program;
    this.tenants = by === 'none' ? undefined : { by, current: 0 };
    this.classes = declareClasses(program, this.#lists, kit);
    for (const [index, spec] of program.endpoints.entries()) {
      const reads = this.#make(spec, `e${index}`);
      if (reads.length > 0) this.#reads.push(reads);
      for (const read of reads) this.#ask(read);
    }
  }

  #make(spec: EndpointSpec, label: string): readonly Read[] {
    switch (spec.type) {
      case 'resource':
        return this.#forTenants(this.#resource(spec, label));
      case 'list':
        return this.#forTenants([this.#list(spec, label)]);
      case 'value': {
        const endpoint = this.#kit.rest({
          ...this.#common,
          path: '/value',
          urlPrefix: PREFIXES[0],
          variant: '',
        });
        return [{ ...SENT, type: 'value', label, endpoint, prefix: PREFIXES[0], tags: {} }];
      }
      case 'derived': {
        const on = this.#ground(spec.to, label);
        return (pick(this.#reads, spec.from) ?? []).flatMap((read) => derive(read, spec, on) ?? []);
      }
      case 'bound': {
        const asks = binding(spec, this.#ground(spec.to, label));
        for (const read of pick(this.#reads, spec.from) ?? []) this.#ask(read, asks);
        return [];
      }
      case 'items': {
        const on = { kit: this.#kit, lists: this.#lists, common: this.#common };
        const made = itemsAt(this.#class(spec.cls), spec.hasScopes, label, on);
        this.questions.push(...made.questions);
        this.mutations.push(...made.mutations);
        return [];
      }
      case 'search':
        this.#search(spec, label);
        return [];
      case 'import':
        for (const read of pick(this.#reads, spec.from) ?? []) this.#import(read, label);
        return [];
      case 'invalidate':
        this.#invalidate(this.#class(spec.cls), label);
        return [];
      case 'function': {
        const cls = this.#class(spec.cls);
        const schema = spec.list && this.#lists.schema(cls, spec.list, PLAIN, label);
        const on = { ...this.#common, kit: this.#kit };
        this.questions.push(...functionQuestions(spec, label, cls, schema, on));
        return [];
      }
    }
  }

  /** What the getters of endpoints return from now on. */
  enter(tenant: number | undefined): void {
    if (this.tenants && tenant !== undefined) this.tenants.current = tenant;
  }

  #forTenants(reads: readonly Read[]): readonly Read[] {
    const { tenants } = this;
    return tenants ? reads.flatMap((read) => forTenants(read, tenants)) : reads;
  }

  /** What says where an endpoint is, and its class. */
  #at(urlPrefix: string): readonly [object, typeof Api?] {
    const { tenants } = this;
    return tenants ? [{ tenants }, TenantApi] : [{ urlPrefix }];
  }

  #ground(to: number, label: string): Ground {
    const { spaces } = this.#program;
    return { spaces, cls: this.#class(to), kit: this.#kit, lists: this.#lists, label };
  }

  #class(number: number): Declared {
    const cls = pick(this.classes, number);
    if (!cls) throw new Error('a program without classes');
    return cls;
  }

  #resource(spec: Spec<'resource'>, label: string): readonly Read[] {
    const { space, list } = spec;
    const cls = this.#class(spec.cls);
    const form = this.#program.spaces[space];
    const prefix = PREFIXES[spec.prefix];
    const [place, type] = this.#at(prefix);
    const options = {
      ...this.#common,
      ...place,
      path: `/t${cls.spec.table}/s${space}/:id`,
      schema: cls.entity,
      variant: cls.label,
      optimistic: spec.isOptimistic,
    };
    const made = this.#kit.resource(options, type);
    const isDefault =
      this.#kit.collection === LIBRARY.collection &&
      list.container === 'collection' &&
      list.naming === 'home' &&
      !form.isMap &&
      form.envelope === 0;
    const variant = variantOf(cls, list);
    const address = addressOf({ cls, prefix, space });
    const own = isDefault ? {} : { schema: this.#lists.schema(cls, list, form, address) };
    const getList = { variant, ...own, ...pagesOf(list, form) };
    const all = made.extend({ getList });
    const reads = (of: Endpoints, user: string, name: string): readonly Read[] => {
      const at = { ...SENT, cls, prefix, space, user };
      const { isOptimistic } = spec;
      const how = { asks: 'query', variant, isResource: true, isOptimistic } as const;
      this.#changes(of, cls, name, spec.isOptimistic);
      return [
        { ...at, ...how, type: 'list', label: `${name}.getList`, endpoint: of.getList, list, form },
        { ...at, type: 'record', label: `${name}.get`, endpoint: of.get },
      ];
    };
    return spec.hasScopes
      ? USERS.flatMap((user) => reads(this.#kit.scoped(all, user), user, `${label} as ${user}`))
      : reads(all, '', label);
  }

  #list({ space, prefix, list, asks, preset, ...spec }: Spec<'list'>, label: string): Read {
    const cls = this.#class(spec.cls);
    const form = this.#program.spaces[space];
    const address = addressOf({ cls, prefix: PREFIXES[prefix], space });
    const variant = variantOfList(cls, list, asks);
    const [place, type] = this.#at(PREFIXES[prefix]);
    const options = {
      ...this.#common,
      ...place,
      path: `/t${cls.spec.table}/s${space}${templateOf(asks)}`,
      ...(asks === 'default' && { searchParams: { group: preset } }),
      schema: this.#lists.schema(cls, list, form, address),
      variant,
      ...pagesOf(list, form),
    };
    const endpoint = this.#kit.rest(options, type);
    const at = { ...SENT, preset, cls, prefix: PREFIXES[prefix], space, user: '' };
    const own = { asks, variant, isResource: false, isOptimistic: false };
    return { ...at, ...own, type: 'list', label, endpoint, list, form };
  }

  #search({ list, ...spec }: Spec<'search'>, label: string): void {
    const cls = this.#class(spec.cls);
    const path = list ? `/t${cls.spec.table}/search` : '/find';
    const schema = list && this.#lists.schema(cls, list, PLAIN, PREFIXES[0] + path);
    const variant = list ? variantOf(cls, list) : '';
    const options = { path, urlPrefix: PREFIXES[0], method: 'POST', sideEffect: false, body: {} };
    const endpoint = this.#kit.rest({ ...this.#common, ...options, schema, variant });
    for (const sent of BODIES) {
      const body = JSON.stringify(sent);
      const wire = { method: 'POST', url: PREFIXES[0] + path, body };
      const home = list && homeOf(cls, list, PLAIN, PREFIXES[0] + path);
      // A body without fields filters nothing: of a named list it asks what a call without arguments does.
      const filter = body === '{}' ? '' : body;
      const reads = list
        ? ({ type: 'list', cls, home, group: undefined, filter, space: PLAIN } as const)
        : ({ type: 'value', tags: [] } as const);
      this.questions.push(question(label, endpoint, [sent], wire, variant, reads));
    }
  }

  #import(read: Read, label: string): void {
    const schema = read.type === 'list' ? this.#kit.importSchema(read.endpoint) : undefined;
    if (read.type !== 'list' || !schema) return;
    const path = `/t${read.cls.spec.table}/import`;
    const options = { path, urlPrefix: PREFIXES[0], method: 'POST', body: {}, schema, variant: '' };
    this.mutations.push({
      label: `${label} of ${read.label}`,
      type: 'create',
      endpoint: this.#kit.rest({ ...this.#common, ...options }),
      cls: read.cls,
      list: readAt(read, presetOf(read)).reads,
      isOptimistic: false,
      args: (_, body) => [body],
    });
  }

  #invalidate(cls: Declared, label: string): void {
    const path = `/t${cls.spec.table}/purge/:id`;
    const schema = new Invalidate(cls.entity);
    const options = { path, urlPrefix: PREFIXES[0], method: 'POST', body: undefined, schema };
    this.mutations.push({
      label,
      type: 'invalidate',
      endpoint: this.#kit.rest({ ...this.#common, ...options, variant: '' }),
      cls,
      list: undefined,
      isOptimistic: false,
      args: (id) => [{ id }],
    });
  }

  #changes(of: Endpoints, cls: Declared, label: string, isOptimistic: boolean): void {
    const add = (type: Mutation['type'], name: string, endpoint: AnyEndpoint): void => {
      const args: Mutation['args'] = (id, body) =>
        type === 'update' ? [{ id }, { title: body['title'] }] : [{ id }];
      const what = { type, endpoint, cls, list: undefined, isOptimistic, args };
      for (const tenant of this.tenants ? [0, 1] : [undefined]) {
        const place = tenant === undefined ? '' : ` at tenant ${tenant}`;
        this.mutations.push({ ...what, label: `${label}.${name}${place}`, tenant });
      }
    };
    add('update', 'partialUpdate', of.partialUpdate);
    add('delete', 'delete', of.delete);
  }

  /** The questions and mutations of a read. */
  #ask(declared: Read, asks: Asks = unbound): void {
    if (declared.type === 'record') {
      for (const id of ['1', '2', '10']) this.#askOne(declared, [{ id }], id, asks);
      return;
    }
    const groups = this.#program.hasGroups ? [undefined, 'x'] : [undefined];
    for (const group of presetOf(declared) === undefined ? groups : [undefined]) {
      this.#askOne(declared, group === undefined ? [] : [{ group }], group, asks);
    }
  }

  /** `asked`: the row, or the group, that the arguments name. */
  #askOne(declared: Read, named: Args, asked: string | undefined, asks: Asks): void {
    this.enter(declared.tenant);
    const call = asks(declared, named);
    if (!call) return;
    const { read, args, edits } = call;
    const { label, endpoint, method, prefix } = read;
    const add = (wire: Wired, variant: string, reads: Reads): void =>
      void this.questions.push({
        ...question(label, endpoint, args, wire, variant, reads, named),
        tenant: read.tenant,
      });
    // What a call names goes over the default.
    const group = asked ?? presetOf(read);
    if (read.type === 'list') {
      const { wire, reads } = readAt(read, group);
      add(wire, read.variant, reads);
      // An edit says what its call names: not the default by which the list is asked for.
      const edited = asked === undefined ? { ...reads, filter: '' } : reads;
      if (reads.home !== undefined && !read.isOptimistic) this.#edits(read, edits, edited, args);
    } else if (read.type === 'value') {
      const url = urlOf(read, `${prefix}/value${group === undefined ? '' : `?group=${group}`}`);
      const reads = { type: 'value', tags: tagsOf(read.tags) } as const;
      add({ method, url }, variantOfTags(read.tags), reads);
    } else if (asked !== undefined) {
      const { cls, space } = read;
      const url = urlOf(read, `${prefix}/t${cls.spec.table}/s${space}/${asked}`);
      add({ method, url, auth: authOf(read) }, cls.label, { type: 'record', cls, id: asked });
    }
  }

  /** The edits of a list. Only a resource moves members: elsewhere it is at the path of the list. */
  #edits(
    { label, cls, isResource, tenant }: DeclaredList,
    edits: Call['edits'],
    list: ListRead,
    args: Args,
  ): void {
    const add = (
      type: Mutation['type'],
      name: 'push' | 'unshift' | 'remove' | 'move',
      argsOf: Mutation['args'],
    ): void => {
      const edit = edits[name];
      if (!edit) return;
      const what = { label: `${label}.${name}`, type, endpoint: edit, cls, list, tenant };
      this.mutations.push({ ...what, isOptimistic: false, args: argsOf });
    };
    add('create', 'push', (_, body) => [...args, body]);
    add('create', 'unshift', (_, body) => [...args, body]);
    add('remove', 'remove', (id) => [...args, { id }]);
    if (isResource) add('move', 'move', (id, { group }) => [{ id }, { group }]);
  }
}

type Args = readonly unknown[];
type Wired = Parameters<typeof question>[3];

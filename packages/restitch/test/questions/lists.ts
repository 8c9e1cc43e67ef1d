/** Makes the schemas of lists, and says which lists are one (identity 2.1 to 2.4). */
import { Values, type Schema } from 'restitch';
import type { Declared } from './classes.js';
import type { Kit } from './kit.js';
import type { ListSpec, Nest, SpaceSpec } from './program.js';

/** Where the lists are that records hold. */
export const ITEMS = 'items';

/** The collections of a program. */
export class Lists {
  readonly #kit: Kit;
  readonly #objects = new Map<string, Schema>();

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  schema(cls: Declared, list: ListSpec, form: SpaceSpec, address: string): Schema {
    const results = this.#results(cls, list, form.isMap, address);
    if (form.envelope === 0) return results;
    return form.envelope === 1 ? { results, next: '' } : { data: { results }, next: '' };
  }

  /** The list that records hold. */
  items(owned: Declared, nest: Nest): Schema {
    if (nest === 'own') return this.#kit.collection([owned.entity], {}, ITEMS);
    const key = `${owned.label} items`;
    const options = { nestKey: ({ id }: { readonly id?: unknown }) => ({ owner: id }) };
    const object = this.#objects.get(key) ?? this.#kit.collection([owned.entity], options, ITEMS);
    this.#objects.set(key, object);
    return object;
  }

  #results(
    cls: Declared,
    { container, naming }: ListSpec,
    isMap: boolean,
    address: string,
  ): Schema {
    const make = (): Schema => {
      const members = isMap ? new Values(cls.entity) : [cls.entity];
      if (container === 'array') return members;
      const options = naming === 'name' ? { name: nameOf(isMap) } : {};
      return this.#kit.collection(members, options, address);
    };
    if (naming !== 'object' && container === 'collection') return make();
    const key = [cls.label, container, isMap].join();
    const object = this.#objects.get(key) ?? make();
    this.#objects.set(key, object);
    return object;
  }
}

const nameOf = (isMap: boolean): string => (isMap ? 'shared map' : 'shared');

/** Which kind of list a declaration is of, and of which user (4.3); undefined of a plain array. */
export function homeOf(
  cls: Declared,
  { container, naming }: ListSpec,
  { isMap }: SpaceSpec,
  address: string,
  user = '',
): string | undefined {
  if (container === 'array') return undefined;
  return `${cls.table} ${naming === 'name' ? nameOf(isMap) : address} ${user}`;
}

export function variantOf(cls: Declared, { container, naming }: ListSpec): string {
  return container === 'array'
    ? `${cls.label} array`
    : `${cls.label} ${naming === 'name' ? 'named' : 'list'}`;
}

/** The option of a list that comes in pages. */
export function pagesOf(
  { container }: ListSpec,
  { isPaged, envelope }: SpaceSpec,
): { readonly paginationField?: string } {
  return isPaged && envelope > 0 && container === 'collection' ? { paginationField: 'cursor' } : {};
}

/** Makes the schemas of lists, and says which lists are one (identity 2.1 to 2.4). */
import { Collection, Values, type Schema } from 'restitch';
import type { Declared } from './classes.js';
import type { ListSpec, SpaceSpec } from './program.js';

/** The collections of a program. */
export class Lists {
  readonly #objects = new Map<string, Schema>();

  schema(cls: Declared, list: ListSpec, { envelope, isMap }: SpaceSpec): Schema {
    const results = this.#results(cls, list, isMap);
    if (envelope === 0) return results;
    return envelope === 1 ? { results, next: '' } : { data: { results }, next: '' };
  }

  #results(cls: Declared, { container, naming }: ListSpec, isMap: boolean): Schema {
    const make = (): Schema => {
      const members = isMap ? new Values(cls.entity) : [cls.entity];
      if (container === 'array') return members;
      return new Collection(members, naming === 'name' ? { name: nameOf(isMap) } : {});
    };
    if (naming !== 'object' && container === 'collection') return make();
    const key = [cls.label, container, isMap].join();
    const object = this.#objects.get(key) ?? make();
    this.#objects.set(key, object);
    return object;
  }
}

const nameOf = (isMap: boolean): string => (isMap ? 'shared map' : 'shared');

/** Which kind of list a declaration is of; undefined of a plain array. */
export function homeOf(
  cls: Declared,
  { container, naming }: ListSpec,
  { isMap }: SpaceSpec,
  address: string,
): string | undefined {
  if (container === 'array') return undefined;
  return `${cls.table} ${naming === 'name' ? nameOf(isMap) : address}`;
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

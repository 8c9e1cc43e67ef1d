import { isKind } from './SchemaKind.js';
import { setField } from './setField.js';
import type { EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** A class with the discriminators that select it, from the outer union inward. */
export interface UnionMember {
  readonly entity: EntityClass;
  readonly path: readonly string[];
}

/** The result for a value whose discriminator selects no member. */
export interface Unknown {
  readonly union: Union;
  readonly discriminator: unknown;
}

/** The number of calls of `define`, which can add a class to any union or to a union inside it. */
export const definitions = { count: 0 };

export type ReadDiscriminator = (union: Union) => unknown;

/** A union nested in itself is not entered again: a value would never reach a class there. */
export function* unionMembers(
  union: Union,
  read?: ReadDiscriminator,
  path: readonly string[] = [],
  within: readonly Union[] = [union],
): IterableIterator<UnionMember> {
  const found = read?.(union);
  for (const [discriminator, member] of union.entries()) {
    if (found !== undefined && found !== discriminator) {
      continue;
    }
    const next = [...path, discriminator];
    if (!isKind(member, 'union')) {
      yield { entity: member, path: next };
    } else if (!within.includes(member)) {
      yield* unionMembers(member, read, next, [...within, member]);
    }
  }
}

/** The class that a function selects for `{}` is a default and does not count. */
export function byKey(value: object): ReadDiscriminator {
  return (union) => {
    const found = discriminatorIn(union, value);
    const isDefault =
      typeof union.schemaAttribute === 'function' && found === discriminatorIn(union, {});
    return isDefault ? undefined : found;
  };
}

/** A function can read any fields to select the class, so its reads are observed. */
export function discriminatorFields(union: Union, record: object): object {
  const fields: Record<string, unknown> = {};
  const note = (name: string | symbol): void => {
    if (typeof name === 'string' && Object.hasOwn(record, name)) {
      setField(fields, name, Reflect.get(record, name));
    }
  };
  const observed = new Proxy(record, {
    get(target, name) {
      note(name);
      return Reflect.get(target, name) as unknown;
    },
    has(target, name) {
      note(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      note(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      const names = Reflect.ownKeys(target);
      names.forEach(note);
      return names;
    },
  });
  chosenIn(union, (one) => discriminatorIn(one, observed));
  return fields;
}

export function discriminatorIn(union: Union, value: object): unknown {
  try {
    return union.discriminatorOf(value, undefined, undefined);
  } catch {
    return undefined;
  }
}

/** Several members can share a table. Returns the member of the record, or else the first one. */
export function memberFor<
  M extends { readonly entity: { readonly table: string } } & Pick<UnionMember, 'path'>,
>(union: Union, members: readonly M[], table: string, fields: object): M | undefined {
  const same = members.filter(({ entity }) => entity.table === table);
  if (same.length < 2) {
    return same[0];
  }
  const chosen = chosenIn(union, (one) => discriminatorIn(one, fields));
  const path = 'path' in chosen ? String(chosen.path) : undefined;
  return same.find((member) => String(member.path) === path) ?? same[0];
}

export function chosenIn(outermost: Union, read: ReadDiscriminator): UnionMember | Unknown {
  const path: string[] = [];
  const within: Union[] = [];
  for (let union = outermost; ;) {
    const discriminator = read(union);
    within.push(union);
    const member = typeof discriminator === 'string' ? union.memberOf(discriminator) : undefined;
    if (member === undefined || typeof discriminator !== 'string') {
      return { union, discriminator };
    }
    path.push(discriminator);
    if (!isKind(member, 'union')) {
      return { entity: member, path };
    }
    if (within.includes(member)) {
      return { union, discriminator };
    }
    union = member;
  }
}

export function classAt(union: Union, path: readonly string[]): EntityClass | undefined {
  let member: EntityClass | Union | undefined = union;
  for (const discriminator of path) {
    member = isKind(member, 'union') ? member.memberOf(discriminator) : undefined;
  }
  return isKind(member, 'union') ? undefined : member;
}

import { isKind } from './kind.js';
import type { EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** A class in a union, or in a union within it, and the discriminator values that lead there. */
export interface UnionMember {
  readonly entity: EntityClass;
  readonly path: readonly string[];
}

/** A union that has no member for the discriminator of a value. */
export interface Unknown {
  readonly union: Union;
  readonly discriminator: unknown;
}

/** Says the discriminator of a value for each union on the way to its class. */
export type Tell = (union: Union) => unknown;

/**
 * Every class in a union; where `tell` gives discriminators, those that they leave possible. A union that is met within itself
 * is not entered again: no value can get there and on.
 */
export function* unionMembers(
  union: Union,
  tell?: Tell,
  path: readonly string[] = [],
  within: readonly Union[] = [union],
): IterableIterator<UnionMember> {
  const told = tell?.(union);
  for (const [discriminator, member] of union.entries()) {
    if (told !== undefined && told !== discriminator) {
      continue;
    }
    const next = [...path, discriminator];
    if (!isKind(member, 'union')) {
      yield { entity: member, path: next };
    } else if (!within.includes(member)) {
      yield* unionMembers(member, tell, next, [...within, member]);
    }
  }
}

/**
 * Tells by an object that may hold no more than a key. What a function says of such an object may mean nothing: it counts where
 * it differs from what the function says of an object without any field.
 */
export function byKey(value: object): Tell {
  return (union) => {
    const told = toldOf(union, value);
    const isGuess = typeof union.schemaAttribute === 'function' && told === toldOf(union, {});
    return isGuess ? undefined : told;
  };
}

/** The discriminator of an object that may lack what the function needs that tells it. */
export function toldOf(union: Union, value: object): unknown {
  try {
    return union.discriminatorOf(value, undefined, undefined);
  } catch {
    // A function that needs more than is there.
    return undefined;
  }
}

/**
 * Of the members of a union whose records have one table, the one that a record is: what its discriminators say, else the first.
 */
export function memberFor<
  M extends { readonly entity: { readonly table: string } } & Pick<UnionMember, 'path'>,
>(union: Union, members: readonly M[], table: string, fields: object): M | undefined {
  const same = members.filter(({ entity }) => entity.table === table);
  if (same.length < 2) {
    return same[0];
  }
  const chosen = chosenIn(union, (one) => toldOf(one, fields));
  const path = 'path' in chosen ? String(chosen.path) : undefined;
  return same.find((member) => String(member.path) === path) ?? same[0];
}

/** What a value is, given what is told of it. */
export function chosenIn(outermost: Union, tell: Tell): UnionMember | Unknown {
  const path: string[] = [];
  const within: Union[] = [];
  for (let union = outermost; ;) {
    const discriminator = tell(union);
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

/** The class to which discriminator values lead, if they still do. */
export function classAt(union: Union, path: readonly string[]): EntityClass | undefined {
  let member: EntityClass | Union | undefined = union;
  for (const discriminator of path) {
    member = isKind(member, 'union') ? member.memberOf(discriminator) : undefined;
  }
  return isKind(member, 'union') ? undefined : member;
}

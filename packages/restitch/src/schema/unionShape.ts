import { isDevelopment } from '../errors/development.js';
import { candidateOf } from './candidates.js';
import { pkOfArgs } from './Entity.js';
import type { Normalizer } from './KindMethods.js';
import type { Candidate } from './Lookup.js';
import { pkText, rowRef } from './referenceText.js';
import { rowCandidate, UnionLookup } from './unionLookup.js';
import { isObject, isPlain } from './same.js';
import { entityShape } from './shape.js';
import type { Member, Row, UnionShape } from './shapes.js';
import type { Union } from './Union.js';
import { parseUnionRef } from './unionRef.js';
import {
  byKey,
  chosenIn,
  discriminatorFields,
  classAt,
  memberFor,
  discriminatorIn,
  unionMembers,
} from './unionMembers.js';
import { warnUnknown } from './warnUnknown.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

export function unionShape(this: Union): UnionShape {
  return shapeOfUnion(this);
}

function shapeOfUnion(union: Union): UnionShape {
  const entities = function* (value?: object, args?: readonly unknown[]): IterableIterator<Member> {
    const chosen =
      value &&
      (args && !isKeyAlone(value, args)
        ? (one: Union) => one.discriminatorOf(value, undefined, undefined)
        : byKey(value));
    for (const { entity, path } of unionMembers(union, chosen)) {
      yield { entity: entityShape(entity), path };
    }
  };
  return {
    kind: 'union',
    union,
    entities,
    normalize: (...place) => normalizeMember(union, ...place),
    rowOf: (value) => rowOf(union, value),
    queryKey: (args) => queryKey(union, entities, args),
    memberFor: (members, table, fields) => memberFor(union, members, table, fields),
    selected(record, isStored) {
      if (isStored) {
        // A discriminator function can return a default class for a record without the field. For a
        // stored record, this default counts.
        const chosen = chosenIn(union, (one) => discriminatorIn(one, record));
        return 'entity' in chosen
          ? { entity: entityShape(chosen.entity), telling: discriminatorFields(union, record) }
          : {};
      }
      const [one, ...others] = entities(record);
      return others.length > 0 ? {} : { entity: one?.entity };
    },
    rowsIn(take) {
      const members = [...entities()];
      const parts = members.map(take);
      const rows = members.flatMap((one, index) => {
        const part: readonly object[] = Array.isArray(parts[index]) ? parts[index] : [];
        return part.filter((row) => memberFor(union, members, one.entity.table, row) === one);
      });
      return parts.every((part) => part === undefined) ? undefined : rows;
    },
  };
}

/** Returns true if a response contains only a key, or only fields of the arguments. */
function isKeyAlone(value: object, [params]: readonly unknown[]): boolean {
  const fields = Object.keys(value);
  return (
    fields.length === 1 ||
    (isObject(params) &&
      !Array.isArray(params) &&
      fields.every((field) => Object.hasOwn(params, field)))
  );
}

function normalizeMember(
  union: Union,
  context: Normalizer,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  created: boolean,
): unknown {
  if (!isObject(input) || Array.isArray(input)) {
    // A server text that looks like a stored reference is discarded. Otherwise, it would show
    // another row.
    return parseUnionRef(input) ? undefined : input;
  }
  const chosen = context.guarded(
    context,
    'unexpected-shape',
    isDevelopment ? 'the choice of a union' : 'union',
    input,
    () => chosenIn(union, (one) => one.discriminatorOf(input, parent, key)),
  );
  if ('union' in chosen) {
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
      warnUnknown(context.options.source, chosen);
    }
    return input;
  }
  const pk = context.row(context, entityShape(chosen.entity), input, parent, key, created);
  return typeof pk === 'string' ? rowRef(chosen.path, pk) : pk;
}

function rowOf(union: Union, value: unknown): Row | undefined {
  if (isPlain(value)) {
    const chosen = chosenIn(union, (one) => discriminatorIn(one, value));
    return 'entity' in chosen
      ? { shape: entityShape(chosen.entity), pk: pkText(pkOfArgs(chosen.entity, [value])) }
      : undefined;
  }
  const reference = parseUnionRef(value);
  const entity = reference && classAt(union, reference.path);
  return entity && { shape: entityShape(entity), pk: reference.pk };
}

/** Without a discriminator, the row can belong to any class, so the result is a lookup. */
function queryKey(
  union: Union,
  entities: UnionShape['entities'],
  args: readonly unknown[],
): string | UnionLookup | undefined {
  const [first] = args;
  const members = [...entities(isObject(first) && !Array.isArray(first) ? first : undefined)];
  const candidates = new Map<Candidate, Member>();
  for (const member of members) {
    const { entity, path } = member;
    const found = candidateOf(entity, args);
    if (typeof found === 'string' && members.length === 1) {
      return rowRef(path, found);
    }
    if (found) {
      candidates.set(typeof found === 'string' ? rowCandidate(entity, found) : found, member);
    }
  }
  return candidates.size > 0
    ? new UnionLookup(
        [...candidates.keys()],
        (candidate, fields) =>
          candidates.get(candidate) === memberFor(union, members, candidate.shape.table, fields),
      )
    : undefined;
}

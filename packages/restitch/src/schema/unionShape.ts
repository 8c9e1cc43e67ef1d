import { isDevelopment } from '../errors/development.js';
import { candidateOf } from './candidates.js';
import { pkOfArgs } from './Entity.js';
import type { Normalizer } from './KindMethods.js';
import type { Candidate } from './Lookup.js';
import { pkText, rowRef } from './referenceText.js';
import { rowCandidate, UnionLookup } from './unionLookup.js';
import { isObject, isPlain } from './same.js';
import { entityShape } from './shape.js';
import type { EntityShape, Member, Row, StoredRows, UnionShape } from './shapes.js';
import type { Union } from './Union.js';
import { parseUnionRef } from './unionRef.js';
import {
  byKey,
  chosenIn,
  definitions,
  discriminatorFields,
  classAt,
  memberFor,
  discriminatorIn,
  type UnionMember,
  unionMembers,
} from './unionMembers.js';
import { warnUnknown } from './warnUnknown.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Returns the members whose records are in the table of a class. */
type OfTable = (shape: EntityShape) => readonly UnionMember[];

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
  const tables = new Map<string, UnionMember[]>();
  let count = 0;
  const ofTable: OfTable = ({ table }) => {
    if (count !== definitions.count) {
      tables.clear();
      ({ count } = definitions);
    }
    let members = tables.get(table);
    if (!members) {
      members = [];
      for (const one of unionMembers(union)) {
        if (entityShape(one.entity).table === table) {
          members.push(one);
        }
      }
      tables.set(table, members);
    }
    return members;
  };
  return {
    kind: 'union',
    union,
    entities,
    normalize: (...place) => normalizeMember(union, ofTable, ...place),
    rowOf: (value, rows) => rowOf(union, ofTable, value, rows),
    queryKey: (args) => queryKey(union, entities, args),
    keepUnsure(rows, store) {
      const known = new Set<unknown>();
      // Classes with the same `key` share the row.
      const keys = new Set<string>();
      for (const row of rows) {
        if (isObject(store.stored?.(row.shape, row.pk))) {
          known.add(row);
          keys.add(`${row.shape.table} ${row.pk}`);
        }
      }
      const isKept = keys.size > 1;
      for (const row of rows.length > 1 ? rows : []) {
        const isKnown = known.has(row);
        row.isUnsure = isKept || !isKnown;
        row.fields = isKept && isKnown ? {} : null;
      }
      return isKept;
    },
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

/**
 * A reference names the first class of a table, because a record can change to another class of the
 * same table. So a list contains the record only once.
 */
function normalizeMember(
  union: Union,
  ofTable: OfTable,
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
  const shape = entityShape(chosen.entity);
  const pk = context.row(context, shape, input, parent, key, created);
  return typeof pk === 'string' ? rowRef((ofTable(shape)[0] ?? chosen).path, pk) : pk;
}

/** If several classes share the table, the stored fields of the record select its class. */
function rowOf(
  union: Union,
  ofTable: OfTable,
  value: unknown,
  rows: StoredRows | undefined,
): Row | undefined {
  if (isPlain(value)) {
    const chosen = chosenIn(union, (one) => discriminatorIn(one, value));
    return 'entity' in chosen
      ? { shape: entityShape(chosen.entity), pk: pkText(pkOfArgs(chosen.entity, [value])) }
      : undefined;
  }
  const reference = parseUnionRef(value);
  const entity = reference && classAt(union, reference.path);
  if (!entity) {
    return undefined;
  }
  const { pk } = reference;
  const shape = entityShape(entity);
  const others = ofTable(shape);
  const fields = others.length > 1 ? rows?.stored?.(shape, pk) : undefined;
  const chosen = isObject(fields) && chosenIn(union, (one) => discriminatorIn(one, fields));
  const found = others.find((one) => chosen && 'path' in chosen && one.entity === chosen.entity);
  return { shape: found ? entityShape(found.entity) : shape, pk };
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

import { fieldOfParam, isEntityClass, pkOfArgs, withDefaults } from '../schema/Entity.js';
import { fieldsLike, fieldsOf } from '../schema/formFields.js';
import { isObject } from '../schema/same.js';
import type { Options } from './callable.js';
import type { Snapshot } from './EndpointInterface.js';

type Fields = Readonly<Record<string, unknown>>;

/** A schema. For a union, the method returns the fields that select the class of a record. */
interface Telling {
  readonly $telling?: (record: Fields) => object;
}

function changed(
  snapshot: Snapshot,
  schema: unknown,
  names: () => readonly string[],
  params: Fields,
  body: unknown,
  isPartial: boolean,
  mustExist: boolean,
): unknown {
  // The cast: the type of the schema is unknown here; its value is an object with fields.
  const existing = snapshot.get(schema, params) as Fields | undefined;
  const known = Object.entries(params).flatMap(([name, value]) => {
    const stored = existing?.[name];
    const field = fieldOfParam(value, stored);
    // A URL has `'5'` where the record has 5. The stored value is kept.
    const isStored = existing && String(stored) === String(field);
    // A search parameter named like a field, such as `?version=3`, does not change the field. Of a
    // missing record, only the key is sent as text: the types of its other fields are unknown.
    return isStored || names().includes(name, existing ? 0 : -1)
      ? [[name, isStored ? stored : field]]
      : [];
  });
  const fields = {
    ...(existing && (schema as Telling).$telling?.(existing)),
    ...Object.fromEntries(known),
    ...(sentFields(schema, body, existing) as Fields | undefined),
  };
  // The fields of a missing record show once a read returns the record. Without the record, a
  // partial update of a union selects no class.
  const isNamed = isEntityClass(schema) ? pkOfArgs(schema, [fields]) !== undefined : !isPartial;
  if (existing || (isNamed && !mustExist)) return fields;
  throw snapshot.abort;
}

/**
 * Returns the fields that a body sends. JSON omits undefined fields. Form values are converted to
 * the types of the stored fields.
 */
function sentFields(schema: unknown, body: unknown, existing?: Fields): unknown {
  const fields = fieldsOf(body);
  if (!isObject(fields)) return fields;
  const like: Fields =
    fields === body ? {} : { ...(isEntityClass(schema) && withDefaults(schema)), ...existing };
  return fieldsLike(fields, like);
}

export interface OptimisticOptions {
  readonly update: Options;
  readonly partialUpdate: Options;
  readonly move: Options;
  readonly add: Options;
}

/**
 * Returns the options that give the mutations of a resource optimistic responses. `names` returns
 * the placeholders of the path, without those of its query.
 */
export function optimisticOptions(
  schema: unknown,
  names: () => readonly string[],
): OptimisticOptions {
  const change = (isPartial: boolean, mustExist = false): Options => ({
    getOptimisticResponse: (snapshot: Snapshot, params: Fields, body: unknown) =>
      changed(snapshot, schema, names, params, body, isPartial, mustExist),
  });
  return {
    update: change(false),
    partialUpdate: change(true),
    // A list cannot contain a missing record.
    move: change(true, true),
    add: {
      getOptimisticResponse(...args: readonly unknown[]) {
        const body = args.at(-1);
        return Array.isArray(body)
          ? body.map((item) => sentFields(schema, item))
          : sentFields(schema, body);
      },
    },
  };
}

import {
  identityOf,
  isEntity,
  isEntityClass,
  isKeyedById,
  pkOfArgs,
  withDefaults,
} from '../schema/Entity.js';
import { fieldsLike, fieldsOf } from '../schema/formFields.js';
import { readFieldsOf } from '../schema/keyFields.js';
import { fieldsWhere, isObject } from '../schema/same.js';
import type { EntityClass } from '../schema/Schema.js';
import type { Options } from './callable.js';
import type { Snapshot } from './EndpointInterface.js';
import { isNative, isReadable } from './requestBody.js';

type Fields = Readonly<Record<string, unknown>>;

/** `$telling` of a union returns the fields that select the class of a record. */
interface Telling {
  readonly $telling?: (record: Fields) => object;
}

interface Sender {
  readonly path: string;
  $sent(args: readonly unknown[]): unknown;
}

/**
 * @param names Returns the placeholders of the path, without those of its query.
 * @param rowOf Returns the primary key of the record that a call names, or fields with the key.
 */
export function optimisticOptions(
  path: string,
  schema: unknown,
  names: () => readonly string[],
  rowOf: (params: unknown) => unknown,
): Readonly<Record<string, Options>> {
  const entity = isEntityClass(schema) ? schema : undefined;

  /** JSON omits undefined fields. Form values get the types of the stored fields. */
  function sentFields(body: unknown, existing?: Fields): Fields | undefined {
    const fields = fieldsOf(body);
    if (!isObject(fields) || Array.isArray(fields) || isNative(fields)) return undefined;
    const like: Fields = isNative(body) ? { ...(entity && withDefaults(entity)), ...existing } : {};
    return fieldsLike(fields, like);
  }

  function change(isPartial: boolean, mustExist = false): Options {
    function predict(this: Sender, snapshot: Snapshot, params: Fields, body: unknown): unknown {
      // If `extend` has set the path `/todos/:id/cover`, the body is not a part of the record.
      const isOther = this.path !== path || (body !== undefined && !isReadable(body));
      if (isOther && this.$sent([params, body]) === undefined) throw snapshot.abort;
      // Optimization: if the params name the key, the record is not read. So a change of the record
      // does not run `predict` again.
      const [last = ''] = names().slice(-1);
      const row = rowOf(params) ?? params;
      const isAlone = entity && isKeyedById(entity) && last === 'id' && !mustExist;
      // The cast: the type of the schema is unknown here; its value is an object with fields.
      const existing = isAlone ? undefined : (snapshot.get(schema, row) as Fields | undefined);
      // The stored record of a union has a class.
      const own =
        entity ?? (existing && isEntity(existing) ? identityOf(existing).entity : undefined);
      // A URL has `'5'` where the record has 5, so the values of the stored record are used. But a
      // related record that is not stored is missing there, or a default, and other values of
      // `static schema` are deserialized.
      const parts = own ? readFieldsOf(own) : [];
      const given = fieldsOfNames(params, [last, ...parts]);
      const known = existing
        ? {
            // A default in another field, such as `org = ''`, would be stored: see `fitOf`.
            ...fieldsOfNames(existing, ['id', ...(own ? parts : names())]),
            ...fieldsWhere(
              given,
              (name) => isConverted(own, name) || isObject(existing[name] ?? {}),
            ),
          }
        : given;
      const keyOf = (record: Fields): unknown => (own ? pkOfArgs(own, [record]) : record['id']);
      const fields = {
        ...(existing && (schema as Telling).$telling?.(existing)),
        ...known,
        ...sentFields(body, existing),
      };
      // For a union without a stored record, only a full body selects the class.
      const key = keyOf(fields);
      const isNamed = own ? key !== undefined : !isPartial;
      if (!existing && (mustExist || !isNamed)) throw snapshot.abort;
      // If the body contains another key, the key in the path wins.
      const isOwn = key === keyOf(existing ?? known);
      const predicted = isOwn ? fields : { ...fields, ...known };
      const named = own && pkOfArgs(own, [row]);
      if (named !== undefined && String(named) !== String(keyOf(predicted))) throw snapshot.abort;
      return predicted;
    }
    // `$isOfBody`: an empty response confirms only the fields of the body that the class declares.
    return { getOptimisticResponse: Object.assign(predict, { $isOfBody: true }) };
  }

  return {
    update: change(false),
    partialUpdate: change(true),
    delete: {
      getOptimisticResponse(snapshot: Snapshot, params: unknown) {
        const row = rowOf(params);
        if (row === undefined) throw snapshot.abort;
        return row;
      },
    },
    // The record must be stored: no list contains a missing record.
    move: change(true, true),
    add: {
      getOptimisticResponse(...args: readonly unknown[]) {
        const body = args.at(-1);
        return Array.isArray(body) ? body.map((item) => sentFields(item)) : sentFields(body);
      },
    },
  };
}

const isConverted = (entity: EntityClass | undefined, name: string): boolean =>
  Object.hasOwn(Object(entity?.schema) as object, name);

function fieldsOfNames(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => name in record).map((name) => [name, record[name]]),
  );
}

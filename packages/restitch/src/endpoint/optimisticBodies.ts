import { isEntityClass, withDefaults } from '../schema/Entity.js';
import { fieldsOf, valueLike } from '../schema/form.js';
import { isObject } from '../schema/same.js';
import { isKind } from '../schema/kind.js';
import type { Options } from './callable.js';
import type { Snapshot } from './EndpointInterface.js';

type Fields = Readonly<Record<string, unknown>>;

function changed(
  snapshot: Snapshot,
  schema: unknown,
  params: Fields,
  body: unknown,
  mustExist: boolean,
): unknown {
  // The schema's type is not known here; its reading form is an object with fields.
  const existing = snapshot.get(schema, params) as Fields | undefined;
  if (mustExist && !existing) throw snapshot.abort;
  const known = Object.entries(params).map(([name, value]) => {
    const stored = existing?.[name];
    // A URL holds `'5'` where the record holds 5: keep what the record holds.
    return [name, String(stored) === String(value) ? stored : value];
  });
  return {
    ...(existing && tellingFields(schema, existing)),
    ...Object.fromEntries(known),
    ...(sentFields(schema, body, existing) as Fields | undefined),
  };
}

/** What a body says of a record: JSON sends nothing that is undefined, and the texts of a form become what the fields hold. */
function sentFields(schema: unknown, body: unknown, existing?: Fields): unknown {
  const fields = fieldsOf(body);
  if (!isObject(fields)) return fields;
  let sent: [string, unknown][] = Object.entries(fields);
  if (fields !== body) {
    const like: Fields = { ...(isEntityClass(schema) && withDefaults(schema)), ...existing };
    sent = sent.map(([name, value]) => [name, valueLike(value, like[name])]);
  }
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** The fields by which unions tell what a record is; all of them where a function does. */
function tellingFields(schema: unknown, existing: Fields): Fields {
  if (!isKind(schema, 'union')) return {};
  const field: unknown = schema.schemaAttribute;
  if (typeof field !== 'string') return existing;
  const value = existing[field];
  return { [field]: value, ...tellingFields(schema.memberOf(String(value)), existing) };
}

/** How the mutations of a resource guess the server's answer. */
export interface OptimisticOptions {
  readonly update: Options;
  readonly partialUpdate: Options;
  readonly add: Options;
}

/** Makes the guesses for the mutations of records with this schema. */
export function optimisticOptions(schema: unknown): OptimisticOptions {
  const guess = (
    getOptimisticResponse: (snapshot: Snapshot, ...args: readonly any[]) => unknown,
  ): Options => ({
    getOptimisticResponse,
  });
  return {
    update: guess((snapshot, params, body) => changed(snapshot, schema, params, body, false)),
    partialUpdate: guess((snapshot, params, body) => changed(snapshot, schema, params, body, true)),
    add: guess((_, ...args) => {
      const body: unknown = args.at(-1);
      return Array.isArray(body)
        ? body.map((item) => sentFields(schema, item))
        : sentFields(schema, body);
    }),
  };
}

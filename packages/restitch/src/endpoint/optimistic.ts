import { fieldsOf } from '../schema/form.js';
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
    ...(fieldsOf(body) as Fields | undefined),
  };
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
      return Array.isArray(body) ? body.map(fieldsOf) : fieldsOf(body);
    }),
  };
}

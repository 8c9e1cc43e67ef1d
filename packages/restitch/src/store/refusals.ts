import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import type { CollectionShape, EntityShape } from '../schema/shape.js';
import type { Union } from '../schema/Union.js';
import type { Context } from './normalized.js';
import type { Cell } from './state.js';

/** What is said of answers that do not fit their schema: what is wrong, on which call and record, and what to do. */

export function wrongShape(
  context: Context,
  expected: string,
  input: unknown,
  key: string | undefined,
): SchemaError {
  const place = key === undefined ? 'The response' : `\`${key}\``;
  return new SchemaError(
    'unexpected-shape',
    `${context.options.source}: ${place} should be ${expected}, but it is ${sample(input)}. ` +
      'Check the `schema` of the endpoint, or reshape the response in `process`.',
  );
}

export function tooDeep({ options }: Context, limit: number): SchemaError {
  return new SchemaError(
    'unexpected-shape',
    `${options.source}: the response nests values more than ${limit} deep, in a schema that holds itself. ` +
      'Make what is nested a record, with a primary key: records may be nested to any depth.',
  );
}

export function missingPk(context: Context, shape: EntityShape, record: unknown): SchemaError {
  return new SchemaError(
    'missing-primary-key',
    `${context.options.source}: a record of ${shape.key} has no primary key: ${sample(record)}. ` +
      `Override \`pk()\` of ${shape.key}, or add the key in \`process\`.`,
  );
}

export function refusedByReader(
  context: Context,
  shape: EntityShape,
  pk: string,
  field: string,
  raw: unknown,
  cause: unknown,
): SchemaError {
  return new SchemaError(
    'deserialize-failed',
    `${context.options.source}: \`${field}\` of ${shape.key} '${pk}' cannot be deserialized: ${sample(raw)}. ` +
      `Check \`static schema\` of ${shape.key}, or reshape the field in \`process\`.`,
    { cause },
  );
}

/** The start of a value, as it goes into a message. */
function sample(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A value that JSON cannot hold is described by its type.
  }
  text ??= Object.prototype.toString.call(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** The path that first answered a list, in development. */
const answeredBy = new WeakMap<Cell, string>();
const warnedPaths = new Set<string>();

/** Two paths that answer one list: if they do not mean the same, each shows what the other one answered. */
export function warnShared(
  cell: Cell,
  { collection, key }: CollectionShape,
  path: string | undefined,
): void {
  if (!isDevelopment || path === undefined || collection.name !== undefined) {
    return;
  }
  const first = answeredBy.get(cell) ?? path;
  answeredBy.set(cell, first);
  const pair = JSON.stringify([first, path].sort());
  if (first !== path && !warnedPaths.has(pair)) {
    warnedPaths.add(pair);
    // oxlint-disable-next-line no-console -- as below
    console.warn(
      `${path} and ${first} both answer the list ${key} with the arguments ${cell.pk}. If they are two lists, give the ` +
        '`Collection` of each a `name` of its own; if they are one, give both the same.',
    );
  }
}

const warned = new WeakSet<Union>();

export function warnUnknown({ options }: Context, union: Union, discriminator: unknown): void {
  if (isDevelopment && !warned.has(union)) {
    warned.add(union);
    const known = [...union.entries()].map(([name]) => name).join(', ');
    // oxlint-disable-next-line no-console -- the one warning that is promised for it
    console.warn(
      `${options.source}: no class for the discriminator ${sample(discriminator)} of a union; it knows ${known}. ` +
        'The value is passed through as it is.',
    );
  }
}

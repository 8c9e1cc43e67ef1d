import { isDevelopment } from '../../errors/development.js';
import { RestitchError } from '../../errors/RestitchError.js';
import { toError } from '../../errors/toError.js';
import { SchemaError, type SchemaErrorCode } from '../../errors/SchemaError.js';
import { entitiesOf } from '../../schema/shape.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import type { Union } from '../../schema/Union.js';
import type { Unknown } from '../../schema/unionMembers.js';
import type { Context } from './Normalized.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What is said of answers that do not fit their schema: what is wrong, on which call and record, and what to do. */

export function wrongShape(
  context: Context,
  expected: string,
  input: unknown,
  key: string | undefined,
  member?: Shape,
): SchemaError {
  return new SchemaError(
    'unexpected-shape',
    isDevelopment
      ? `${context.options.source}: ${key === undefined ? 'The response' : `\`${key}\``} should be ${expected}${ofRecords(member)}, but it is ${sample(input)}. ` +
          (isJsonText(input)
            ? 'It is JSON as text: the server encodes it twice, or sends it without the content-type application/json. Parse it in `process`.'
            : 'Check the `schema` of the endpoint, or reshape the response in `process`.')
      : `${context.options.source}: ${key ?? ''}`,
  );
}

/** Which records a list or map should hold, where it is of records. */
function ofRecords(member: Shape | undefined): string | undefined {
  // Without a value in production, so that bundles leave it out.
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    const isNamed = member?.kind === 'entity' || member?.kind === 'union';
    return isNamed
      ? ` of ${[...entitiesOf(member)].map(({ entity }) => entity.name).join(' or ')}`
      : '';
  }
  return;
}

/** Whether a value is the JSON text of an object or array, rather than that. */
export function isJsonText(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) {
    return false;
  }
  try {
    return typeof JSON.parse(value) === 'object';
  } catch {
    return false;
  }
}

/**
 * Runs a callback of the user's own; what it throws becomes the cause of an error that says where, on what and what to do.
 * Errors of restitch pass: whoever throws them has said all that.
 */
export function guarded<T>(
  { options }: Context,
  code: SchemaErrorCode,
  what: string,
  value: unknown,
  run: () => T,
): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof RestitchError) {
      throw cause;
    }
    throw new SchemaError(
      code,
      isDevelopment
        ? `${options.source}: ${what} threw on ${sample(value)}: ${toError(cause).message}. ` +
            'Let it accept what the server sends, or reshape the response in `process` of the endpoint.'
        : `${options.source}: ${what}: ${toError(cause).message}`,
      { cause },
    );
  }
}

/** What a callback of the user's own threw where no request may be at hand; `source` names the endpoint, if one is. */
export function callbackFailed(what: string, cause: unknown, source?: string): Error {
  if (cause instanceof RestitchError) {
    return cause;
  }
  const message = `${what} threw: ${toError(cause).message}`;
  const error = new SchemaError('callback-failed', message, { cause });
  return source ? withSource(error, source) : error;
}

/** Runs a callback of a class while its record is read. */
export function reading<T>({ name }: EntityShape, callback: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw callbackFailed(`${name}.${callback}`, error);
  }
}

/** Adds the endpoint to what a callback of a class threw while a record of its answer was read. */
export function withSource(thrown: unknown, source: string): Error {
  const error = toError(thrown);
  const isUnnamed = 'code' in error && error.code === 'callback-failed';
  const prefix = `${source}: `;
  if (isUnnamed && !error.message.startsWith(prefix)) {
    error.message = prefix + error.message;
  }
  return error;
}

export function tooDeep({ options }: Context, limit: number): SchemaError {
  return new SchemaError(
    'unexpected-shape',
    isDevelopment
      ? `${options.source}: the response nests values more than ${limit} deep, in a schema that holds itself. ` +
          'Make what is nested a record, with a primary key: records may be nested to any depth.'
      : options.source,
  );
}

export function missingPk(context: Context, shape: EntityShape, record: unknown): SchemaError {
  return new SchemaError(
    'missing-primary-key',
    isDevelopment
      ? `${context.options.source}: a record of ${shape.name} has no primary key: ${sample(record)}. ` +
          `Override \`pk()\` of ${shape.name}, or add the key in \`process\`.`
      : `${context.options.source}: ${shape.name}`,
  );
}

/** A value that the program hands over is of another row than the arguments name. */
export function otherRow(source: string, { name }: EntityShape, pk: string, named: string): Error {
  return new SchemaError(
    'other-row',
    isDevelopment
      ? `${source}: the arguments name ${name} ${named}, but the value is ${name} ${pk}. ` +
          'Nothing was stored: name the row that the value is, or leave its key out of the value.'
      : source,
  );
}

/** The start of a value, as it goes into a message. */
export function sample(value: unknown): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch {
      // A value that JSON cannot hold is described by its type.
    }
    text ??= value === undefined ? 'undefined' : Object.prototype.toString.call(value);
    return text.length > 120 ? `${text.slice(0, 120)}…` : text;
  }
  return;
}

const warned = new WeakSet<Union>();

/** In development: no class for a member of a union. */
export function warnUnknown({ options }: Context, { union, discriminator }: Unknown): void {
  if (!warned.has(union)) {
    warned.add(union);
    const known = [...union.entries()].map(([name]) => name).join(', ');
    // oxlint-disable-next-line no-console -- the one warning that is promised for it
    console.warn(
      `${options.source}: no class for the discriminator ${sample(discriminator)} of a union; it knows ${known}. ` +
        'The value is passed through as it is.',
    );
  }
}

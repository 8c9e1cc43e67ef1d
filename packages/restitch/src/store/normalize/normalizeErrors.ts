import { isDevelopment } from '../../errors/development.js';
import { RestitchError } from '../../errors/RestitchError.js';
import { sample } from '../../errors/excerpt.js';
import { toError } from '../../errors/toError.js';
import { SchemaError, type SchemaErrorCode } from '../../errors/SchemaError.js';
import { own } from '../../schema/same.js';
import { entitiesOf } from '../../schema/shape.js';
import type { EntityShape, Shape } from '../../schema/shapes.js';
import type { Context } from './Normalized.js';
import { receivedOf } from './receivedParts.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

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
            : (ifRounded(input) ??
              'Check the `schema` of the endpoint, or reshape the response in `process`.'))
      : `${context.options.source}: ${key ?? ''}`,
  );
}

function ofRecords(member: Shape | undefined): string | undefined {
  // In production, the body is empty, so that bundlers remove the function and its calls.
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    const isNamed = member?.kind === 'entity' || member?.kind === 'union';
    return isNamed
      ? ` of ${[...entitiesOf(member)].map(({ entity }) => entity.name).join(' or ')}`
      : '';
  }
  return;
}

function ifRounded(key: unknown): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    return typeof key === 'number' && Math.abs(key) > Number.MAX_SAFE_INTEGER
      ? 'JavaScript rounds numbers above 2^53, so two records can get one key. Let the server send the key as text.'
      : undefined;
  }
  return;
}

function ifDate({ custom, name, readers }: EntityShape): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    return custom.pk && readers.size > 0
      ? `Let \`pk()\` of ${name} return a key for each record. In a key, write a date as \`toISOString()\`: its usual text depends on the time zone and lacks the milliseconds.`
      : undefined;
  }
  return;
}

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

export function callbackFailed(what: string, cause: unknown, source?: string): Error {
  if (cause instanceof RestitchError) {
    return cause;
  }
  const message = `${what} threw: ${toError(cause).message}`;
  const error = new SchemaError('callback-failed', message, { cause });
  return source ? withSource(error, source) : error;
}

export function reading<T>({ name }: EntityShape, callback: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw callbackFailed(`${name}.${callback}`, error);
  }
}

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
      ? `${options.source}: the response nests values of a recursive schema more than ${limit} deep. ` +
          'Make the nested values records with a primary key: records may be nested to any depth.'
      : options.source,
  );
}

/** `input` is the record before `process` of its class. */
export function missingPk(context: Context, shape: EntityShape, input: unknown): SchemaError {
  return new SchemaError(
    'missing-primary-key',
    isDevelopment
      ? `${context.options.source}: a record of ${shape.name} has no primary key: ` +
          `${sample(receivedOf(input)?.record ?? input)}. ` +
          (ifRounded(own(Object(input), 'id')) ??
            ifDate(shape) ??
            `Override \`pk()\` of ${shape.name}, or add the key in \`process\`` +
              (receivedOf(input)?.isNamed ? ': `(value, { id }) => ({ ...value, id })`.' : '.'))
      : `${context.options.source}: ${shape.name}`,
  );
}

export function otherRow(source: string, { name }: EntityShape, pk: string, named: string): Error {
  return new SchemaError(
    'other-row',
    isDevelopment
      ? `${source}: the arguments name ${name} ${named}, but the value is ${name} ${pk}. ` +
          'Nothing was stored. Pass arguments that name the same row, or leave the key out of the value.'
      : source,
  );
}

import { canonicalText } from './argText.js';
import type { CustomSchema, SchemaPlace } from './CustomSchema.js';
import { isObject, isPlain, sameItems, sameFields } from './same.js';

/** The internal methods of `CustomSchema` with which the store reads custom values. */
export interface CustomReading {
  /**
   * Returns the output for a value of the inner schema, or the previous output if both have
   * identical content.
   */
  '~read'(inner: unknown, before: unknown, args?: readonly unknown[]): unknown;
  /** Returns the input of an output, or undefined for any other value. */
  '~innerOf'(output: unknown): unknown;
  /**
   * Sets methods on a copy of the schema that call the methods of the original. The copy lacks the
   * private fields that these methods can use.
   */
  '~lend'(copy: object): void;
}

/**
 * The outputs of each custom schema by input object and by the text of the arguments. The same
 * input and arguments have the same output.
 */
const outputs = new WeakMap<CustomSchema, WeakMap<object, Map<string, unknown>>>();

/** The input of each output, so that the next input can reuse its equal parts. */
const inputs = new WeakMap<object, unknown>();

/** See `CustomReading`; called as a method. */
export function readCustom(
  this: CustomSchema,
  inner: unknown,
  before: unknown,
  args: readonly unknown[] = [],
): unknown {
  const key = argsText(args);
  if (!isObject(inner) || key === undefined) {
    return keepSame(before, this.denormalize(inner, ...args));
  }
  const ofSchema = outputs.get(this) ?? new WeakMap<object, Map<string, unknown>>();
  outputs.set(this, ofSchema);
  const ofInput = ofSchema.get(inner) ?? new Map<string, unknown>();
  ofSchema.set(inner, ofInput);
  if (!ofInput.has(key)) {
    ofInput.set(key, keepSame(before, this.denormalize(inner, ...args)));
  }
  const output = ofInput.get(key);
  if (isObject(output)) {
    inputs.set(output, inner);
  }
  return output;
}

/**
 * Returns the previous array or object if the new one has identical content, so that readers are
 * not notified. For example, a list of open tasks stays the same array when a completed task
 * changes.
 */
function keepSame(before: unknown, output: unknown): unknown {
  const isSame =
    Array.isArray(before) && Array.isArray(output)
      ? sameItems(before, output)
      : isPlain(before) && isPlain(output) && sameFields(before, output);
  return isSame ? before : output;
}

/** See `CustomReading`; called as a method. */
export function lendMethods(this: CustomSchema, copy: object): void {
  Object.defineProperties(copy, {
    normalize: { value: (input: unknown, place: SchemaPlace) => this.normalize(input, place) },
    denormalize: {
      value: (value: unknown, ...args: unknown[]) => this.denormalize(value, ...args),
    },
  });
}

/** See `CustomReading`. */
export function innerOf(output: unknown): unknown {
  // The cast: values that are not objects are never keys, so the lookup returns undefined.
  return inputs.get(output as object);
}

/**
 * Returns the arguments as text. Undefined means that they have no text, so the output is not
 * cached.
 */
function argsText(args: readonly unknown[]): string | undefined {
  try {
    return canonicalText(args);
  } catch {
    return undefined;
  }
}

import { canonicalText } from './argText.js';
import type { CustomSchema, SchemaPlace } from './CustomSchema.js';
import { isObject, isPlain, sameItems, sameFields } from './same.js';

export interface CustomReading {
  /** Converts a value of the inner schema. Returns `before` if its content is the same. */
  $read(inner: unknown, before: unknown, args?: readonly unknown[]): unknown;
  /** Returns the input from which `$read` computed an output. */
  $innerOf(output: unknown): unknown;
  /** Methods may read `#private` fields, which `copy` lacks. So its methods run on this schema. */
  $lend(copy: object): void;
}

/** The outputs of each custom schema, by input object and text of the arguments. */
const outputs = new WeakMap<CustomSchema, WeakMap<object, Map<string, unknown>>>();

/** The input of each output. The next input reuses the unchanged parts of this input. */
const inputs = new WeakMap<object, unknown>();

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

function keepSame(before: unknown, output: unknown): unknown {
  const isSame =
    Array.isArray(before) && Array.isArray(output)
      ? sameItems(before, output)
      : isPlain(before) && isPlain(output) && sameFields(before, output);
  return isSame ? before : output;
}

export function lendMethods(this: CustomSchema, copy: object): void {
  Object.defineProperties(copy, {
    normalize: { value: (input: unknown, place: SchemaPlace) => this.normalize(input, place) },
    denormalize: {
      value: (value: unknown, ...args: unknown[]) => this.denormalize(value, ...args),
    },
  });
}

export function innerOf(output: unknown): unknown {
  // The cast: values that are not objects are never keys, so the lookup returns undefined.
  return inputs.get(output as object);
}

/** Returns undefined if the arguments have no text. The output is then not cached. */
function argsText(args: readonly unknown[]): string | undefined {
  try {
    return canonicalText(args);
  } catch {
    return undefined;
  }
}

import { canonicalText } from './argText.js';
import type { CustomSchema, SchemaPlace } from './CustomSchema.js';
import { isObject, isPlain, sameItems, sameShown } from './same.js';

/** How the store reads through a schema of the user's own: what `CustomSchema` has beside its public methods. */
export interface CustomReading {
  /** What the schema makes of what its inner schema reads as; what it made before, where that shows the same. */
  '~read'(inner: unknown, before: unknown, args?: readonly unknown[]): unknown;
  /** What an output was made of, if it is one. */
  '~innerOf'(output: unknown): unknown;
  /** Gives a copy the methods of the schema: they may need private fields, which the copy lacks. */
  '~lend'(copy: object): void;
}

/** What custom schemas made of their input, by the input's identity: as long as that is the same, so is what readers get. */
const outputs = new WeakMap<CustomSchema, WeakMap<object, Map<string, unknown>>>();

/** For an output, the input that it was made of: the next input keeps its equal parts. */
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

/** An array or object that holds the very same is no news: a list of what is open does not change with what is done. */
function keepSame(before: unknown, output: unknown): unknown {
  const isSame =
    Array.isArray(before) && Array.isArray(output)
      ? sameItems(before, output)
      : isPlain(before) && isPlain(output) && sameShown(before, output);
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
  // The cast: what is no object is no key, and is made of nothing.
  return inputs.get(output as object);
}

/** The arguments as text; undefined where they have none, so that nothing can be remembered for them. */
function argsText(args: readonly unknown[]): string | undefined {
  try {
    return canonicalText(args);
  } catch {
    return undefined;
  }
}

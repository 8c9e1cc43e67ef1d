import type { CustomShape } from '../schema/shape.js';
import { canonicalText } from '../schema/argText.js';
import { isPlain, sameItems, sameShown } from './record.js';

/** What custom schemas made of their input, by the input's identity: as long as that is the same, so is what readers get. */
const outputs = new WeakMap<CustomShape, WeakMap<object, Map<string, unknown>>>();

/** For an output, the input that it was made of: the next input keeps its equal parts. */
const inputs = new WeakMap<object, unknown>();

/** What a custom schema makes of what its inner schema reads as; what it made before, where that shows the same. */
export function readCustom(
  shape: CustomShape,
  inner: unknown,
  before: unknown,
  args: readonly unknown[] = [],
): unknown {
  const key = argsText(args);
  if (typeof inner !== 'object' || inner === null || key === undefined) {
    return keepSame(before, shape.schema.denormalize(inner, ...args));
  }
  let ofShape = outputs.get(shape);
  if (!ofShape) {
    ofShape = new WeakMap();
    outputs.set(shape, ofShape);
  }
  let ofInput = ofShape.get(inner);
  if (!ofInput) {
    ofInput = new Map();
    ofShape.set(inner, ofInput);
  }
  if (!ofInput.has(key)) {
    ofInput.set(key, keepSame(before, shape.schema.denormalize(inner, ...args)));
  }
  const output = ofInput.get(key);
  if (typeof output === 'object' && output !== null) {
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

/** What an output was made of, if it is one. */
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

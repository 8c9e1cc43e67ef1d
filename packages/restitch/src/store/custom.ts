import type { CustomShape } from '../schema/shape.js';

/** What custom schemas made of their input, by the input's identity: as long as that is the same, so is what readers get. */
const outputs = new WeakMap<CustomShape, WeakMap<object, Map<string, unknown>>>();

/** For an output, the input that it was made of: the next input keeps its equal parts. */
const inputs = new WeakMap<object, unknown>();

/** What a custom schema makes of what its inner schema reads as. */
export function readCustom(
  shape: CustomShape,
  inner: unknown,
  args: readonly unknown[] = [],
): unknown {
  const key = argsText(args);
  if (typeof inner !== 'object' || inner === null || key === undefined) {
    return shape.schema.denormalize(inner, ...args);
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
    const output: unknown = shape.schema.denormalize(inner, ...args);
    ofInput.set(key, output);
    if (typeof output === 'object' && output !== null) {
      inputs.set(output, inner);
    }
  }
  return ofInput.get(key);
}

/** What an output was made of, if it is one. */
export function innerOf(output: unknown): unknown {
  return typeof output === 'object' && output !== null ? inputs.get(output) : undefined;
}

/** The arguments as text; undefined where they have none, so that nothing can be remembered for them. */
function argsText(args: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(args);
  } catch {
    return undefined;
  }
}

import type { CustomSchema } from './CustomSchema.js';
import type { Normalizer, Previous, Reader, References } from './KindMethods.js';
import type { CustomReading } from './readCustom.js';
import { isPlain } from './same.js';
import { isStoredForm } from './storedForm.js';
import type { CustomShape, Shape } from './shapes.js';

/** `compileKind` in `shape.ts` sets the field `member`. */
class CustomKind implements CustomShape {
  readonly kind = 'custom';
  declare readonly member: Shape;
  readonly schema: CustomSchema & CustomReading;

  constructor(schema: CustomSchema & CustomReading) {
    this.schema = schema;
  }

  normalize(
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown {
    const { schema } = this;
    const { args } = context.options;
    const what = `\`normalize\` of ${schema.constructor.name}`;
    const inner = context.guarded(context, 'process-failed', what, input, () =>
      schema.normalize(input, { parent, key, args }),
    );
    return context.visit(context, this.member, inner, parent, key, owner);
  }

  isStored(value: unknown): boolean {
    return isStoredForm(this.member, value);
  }

  walk(value: unknown, sink: References): void {
    sink.value(this.member, value);
  }

  denormalize(value: unknown, reader: Reader, was: Previous): unknown {
    const { schema, member } = this;
    const before = { value: schema.$innerOf(was.value), source: was.source };
    const inner = reader.value(member, value, before);
    if (inner === undefined || inner === null) {
      return inner;
    }
    return lacksAll(member, inner) ? undefined : schema.$read(inner, was.value, reader.args);
  }

  queryKey(
    args: readonly unknown[],
    query: (shape: Shape, args: readonly unknown[]) => unknown,
  ): unknown {
    return query(this.member, args);
  }
}

export function customShape(this: CustomSchema & CustomReading): CustomShape {
  return new CustomKind(this);
}

/** A `Query` does not run for an object that contains none of its records. */
function lacksAll(shape: Shape, value: unknown): boolean {
  return (
    shape.kind === 'object' &&
    isPlain(value) &&
    [...shape.fields.keys()].every((field) => value[field] === undefined)
  );
}

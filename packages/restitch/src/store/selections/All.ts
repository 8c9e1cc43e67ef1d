import { isDevelopment } from '../../errors/development.js';
import type { AllSchema } from '../../schema/AllSchema.js';
import { setKind } from '../../schema/SchemaKind.js';
import type { Normalizer, Previous } from '../../schema/KindMethods.js';
import type { EntityClass } from '../../schema/Schema.js';
import { entitiesOf } from '../../schema/shape.js';
import type { AllShape, EntityShape, Member, UnionShape } from '../../schema/shapes.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from '../../schema/Union.js';
import { keepItems, type NodeReader } from '../views/denormalize.js';
import type { Sink } from '../views/walkReferences.js';
import { selectionOf, takeSelection } from './selections.js';

/**
 * Every record of a class in the store, in the order in which the records were added. The value is
 * undefined until the store has had a record of the class. For a union, the value contains the
 * records of one class after the other.
 *
 * @remarks An `All` can be the schema of an endpoint that returns a list. Readers then receive all
 * records of the class, not only those of the response. Use a `Collection` for a list of only some
 * records.
 *
 * @example
 * ```ts
 * import { All, Controller, Entity } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * const controller = new Controller();
 * const users = controller.get(new All(User)) ?? [];
 * ```
 */
export interface All<E extends EntityClass | Union> extends AllSchema<E> {}

/** Creates an `All` from an entity class or a union, or from the definition of a union. */
export interface AllConstructor {
  /** A shorthand for `new All(new Union(definition, schemaAttribute))`. */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): All<Union<D, A>>;
  new <E extends EntityClass | Union>(entity: E): All<E>;
  readonly prototype: All<EntityClass | Union>;
}

/** Creates the schema: `new All(User)`. The created schema has the type of the interface `All`. */
// The cast: a class cannot declare constructor signatures with different instance types.
export const All: AllConstructor = class {
  readonly entity: unknown;

  static {
    setKind(this.prototype, 'all', { '~shape': (): AllShape => new AllKind() });
  }

  constructor(entity: unknown, schemaAttribute?: string | UnionChoice) {
    if (!entity) {
      throw new TypeError(
        isDevelopment ? '`new All(entity)` needs an entity class or a `Union`.' : 'All',
      );
    }
    this.entity = unionOf(entity, schemaAttribute);
  }
} as AllConstructor;

/** `compileKind` in `schema/shape.ts` sets `member`. */
class AllKind implements AllShape {
  readonly kind = 'all';
  declare readonly member: EntityShape | UnionShape;

  normalize(
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): boolean {
    context.visit(context, { kind: 'array', member: this.member }, input, parent, key, owner);
    return EVERYTHING;
  }

  walk(_value: unknown, sink: Sink): void {
    for (const { entity } of entitiesOf(this.member)) {
      takeSelection(sink, selectionOf(entity));
    }
  }

  denormalize(_value: unknown, reader: NodeReader, { value: before }: Previous): unknown {
    const { member } = this;
    const take = ({ entity }: Member): unknown => takeSelection(reader, selectionOf(entity));
    if (member.kind === 'entity') {
      return take({ entity: member, path: [] });
    }
    const rows = member.rowsIn(take);
    return rows && keepItems(before, rows);
  }

  queryKey(): boolean {
    return EVERYTHING;
  }
}

/** The stored value of every `All` is the same: the shape alone determines the class. */
const EVERYTHING = true;

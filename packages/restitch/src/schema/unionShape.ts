import { entityShape } from './shape.js';
import type { UnionShape } from './shapes.js';
import type { Union } from './Union.js';
import { byKey, chosenIn, classAt, memberFor, toldOf, unionMembers } from './unionMembers.js';

/** Returns the compiled form of a union. Called as a method of the union. */
export function unionShape(this: Union): UnionShape {
  return {
    kind: 'union',
    union: this,
    *entities(value, isWhole) {
      const tell =
        value &&
        (isWhole ? (one: Union) => one.discriminatorOf(value, undefined, undefined) : byKey(value));
      for (const { entity, path } of unionMembers(this.union, tell)) {
        yield { entity: entityShape(entity), path };
      }
    },
    chosen: (value, parent, key) =>
      chosenIn(this, (one) => one.discriminatorOf(value, parent, key)),
    classOf: (value) => {
      const chosen = chosenIn(this, (one) => toldOf(one, value));
      return 'entity' in chosen ? chosen.entity : undefined;
    },
    classAt: (path) => classAt(this, path),
    memberFor: (members, table, fields) => memberFor(this, members, table, fields),
    rowsIn(take) {
      const members = [...this.entities()];
      const parts = members.map(take);
      const rows = members.flatMap((one, index) => {
        const part: readonly object[] = Array.isArray(parts[index]) ? parts[index] : [];
        return part.filter((row) => this.memberFor(members, one.entity.table, row) === one);
      });
      return parts.every((part) => part === undefined) ? undefined : rows;
    },
  };
}

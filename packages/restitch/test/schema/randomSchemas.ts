/** Random schemas, every kind inside every other, with responses that fit them, and a store that keeps them in the simplest way. */
import { Collection, Entity, Lazy, type Schema, Union, Values } from 'restitch';

export class Row extends Entity {
  id: string | number = '';
  size = 0;
}

type Fields = Record<string, unknown>;

/** A number from 0 up to, and without, the given one. */
export type Choose = (count: number) => number;

/** Where a value is kept: the record that owns it, the field, its name there, and the lists met so far. */
interface Place {
  readonly owner: string;
  readonly name: string;
  readonly met: Map<string, number>;
}

/** A schema with how values of it are made, and how the simple store keeps one: a function that gives what is shown. */
interface Part {
  readonly schema: Schema;
  readonly make: (depth: number) => unknown;
  readonly keep: (value: unknown, place: Place) => Kept;
}

/** A schema of records, which lists may hold. */
interface RecordPart extends Part {
  readonly name: string;
  /** Keeps a record, or a key that stands for one; gives its label. */
  readonly label: (value: unknown) => string;
}

/** Gives what is shown of a kept value; records are shown by their labels. */
type Kept = () => unknown;

const KEYS: readonly (string | number)[] = ['1', '2', 3, '__proto__'];
const NAMES = ['x', 'y', 'constructor'] as const;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const labelOf = (kind: string, id: unknown): string => `${kind} ${String(id)}`;

const DATE: Part = {
  schema: Date,
  make: () => '2026-01-01T00:00:00.000Z',
  keep: (value) => () => new Date(String(value)),
};

/** Random classes with random relations, and a random schema of responses that hold them. */
export class World {
  readonly classes: (typeof Row)[] = [];
  readonly response: { readonly a: Part; readonly b: Part };
  readonly rows = new Map<string, Fields>();
  readonly #lists = new Map<string, readonly string[]>();
  readonly #relations: Record<string, Part>[] = [];
  readonly #choose: Choose;
  /** The values that the current response contains already: it says everything once. */
  #said = new Set<string>();
  #changes: (() => void)[] = [];
  /** Arrays, maps, objects and lists: one schema may stand in several places. */
  readonly #shared: { readonly part: Part; readonly hasLists: boolean }[] = [];
  #listCount = 0;
  #isInRecords = true;
  #count = 0;

  constructor(choose: Choose) {
    this.#choose = choose;
    const count = 1 + choose(3);
    for (let index = 0; index < count; index += 1) {
      this.classes.push(
        class extends Row {
          static override key = `Kind${index}`;
          static override schema: Record<string, Schema> = {};
        },
      );
    }
    for (const one of this.classes) {
      const relations = { first: this.#part(2), second: this.#part(2) };
      one.schema = { first: relations.first.schema, second: relations.second.schema };
      this.#relations.push(relations);
    }
    this.#isInRecords = false;
    const a = choose(3) === 0 ? this.#array(this.#part(1)) : this.#part(2);
    this.response = { a, b: this.#part(2) };
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#choose(items.length)] as T;
  }

  #several<T>(make: () => T): T[] {
    return Array.from({ length: this.#choose(4) }, make);
  }

  /** A new response. */
  begin(): void {
    this.#said = new Set();
  }

  /** A record of a class, by its place. */
  record(kind: number, depth: number): Fields {
    const id = this.#pick(KEYS);
    const record: Fields = { id, type: `t${kind}` };
    const label = labelOf(`Kind${kind}`, id);
    if (!this.#said.has(label)) {
      this.#said.add(label);
      record['size'] = this.#choose(3);
      for (const [field, part] of Object.entries(this.#relations[kind] ?? {})) {
        if (depth < 4 && this.#choose(3) > 0) record[field] = this.#some(part, depth + 1);
      }
    }
    return record;
  }

  #some(part: Part, depth: number): unknown {
    return this.#choose(12) === 0 ? null : part.make(depth);
  }

  /** Keeps a record, once `commit` is called. */
  keep(kind: number, record: Fields): string {
    const key = `Kind${kind}`;
    const label = labelOf(key, record['id']);
    const kept: Fields = { ...record };
    this.#changes.push(() => this.rows.set(label, { ...this.rows.get(label), ...kept }));
    for (const [field, part] of Object.entries(this.#relations[kind] ?? {})) {
      if (Object.hasOwn(record, field)) {
        const place = { owner: `${label} ${field}`, name: field, met: new Map() };
        kept[field] = this.#kept(part, record[field], place);
      }
    }
    return label;
  }

  #kept(part: Part, value: unknown, place: Place): Kept {
    return value === null || value === undefined ? () => value : part.keep(value, place);
  }

  /** Keeps a response. */
  keepAnswer(value: Fields): Record<'a' | 'b', Kept> {
    const place = (name: string): Place => ({ owner: '', name, met: new Map() });
    const a = this.#kept(this.response.a, value['a'], place('a'));
    const b = this.#kept(this.response.b, value['b'], place('b'));
    return { a, b };
  }

  commit(): void {
    for (const change of this.#changes.splice(0)) change();
  }

  remove(kind: number, id: string): void {
    const label = labelOf(`Kind${kind}`, id);
    this.rows.delete(label);
    for (const [name, members] of this.#lists) {
      this.#lists.set(
        name,
        members.filter((member) => member !== label),
      );
    }
  }

  #part(depth: number): Part {
    const shared = this.#shared.filter(({ hasLists }) => this.#isInRecords || !hasLists);
    if (depth > 0 && shared.length > 0 && this.#choose(4) === 0) {
      const { part, hasLists } = this.#pick(shared);
      this.#listCount += hasLists ? 1 : 0;
      return part;
    }
    const lists = this.#listCount;
    const part = this.#newPart(depth);
    const isHolder = typeof part.schema === 'object' && !(part.schema instanceof Union);
    if (isHolder) this.#shared.push({ part, hasLists: lists < this.#listCount });
    return part;
  }

  #newPart(depth: number): Part {
    const choice = depth === 0 ? this.#choose(3) : this.#choose(10);
    if (choice < 2) return this.#entity(this.#choose(this.classes.length));
    if (choice === 2) return this.#union();
    if (choice < 5) return this.#array(this.#part(depth - 1));
    if (choice === 5) return this.#map(this.#part(depth - 1));
    if (choice === 6) return this.#object(this.#part(depth - 1), this.#part(depth - 1));
    if (choice === 7) return DATE;
    if (choice === 8) return this.#lazy(this.#choose(this.classes.length));
    const isEntity = this.#choose(2) === 0;
    const member = isEntity ? this.#entity(this.#choose(this.classes.length)) : this.#union();
    return this.#isInRecords || depth === 2 ? this.#list(member) : member;
  }

  #shown(label: string): Kept {
    return () => (this.rows.has(label) ? { label } : undefined);
  }

  #entity(kind: number): RecordPart {
    const label = (value: unknown): string =>
      isFields(value) ? this.keep(kind, value) : labelOf(`Kind${kind}`, value);
    return {
      name: `Kind${kind}`,
      label,
      schema: this.classes[kind],
      make: (depth) =>
        depth > 3 || this.#choose(4) === 0 ? this.#pick(KEYS) : this.record(kind, depth),
      keep: (value) => this.#shown(label(value)),
    };
  }

  #union(): RecordPart {
    const classes = Object.fromEntries(this.classes.map((one, kind) => [`t${kind}`, one]));
    const inner = new Union(classes, 'type' as never);
    const isNested = this.#choose(2) === 0;
    const label = (value: unknown): string =>
      isFields(value) ? this.keep(Number(String(value['type']).slice(1)), value) : '';
    return {
      name: isNested ? 'nested' : 'union',
      label,
      schema: isNested ? new Union({ inner }, () => 'inner') : inner,
      make: (depth) => this.record(this.#choose(this.classes.length), depth),
      keep: (value) => this.#shown(label(value)),
    };
  }

  #array(member: Part): Part {
    return {
      schema: [member.schema],
      make: (depth) => this.#several(() => this.#some(member, depth)),
      keep: (value, place) => {
        const items = itemsOf(value).map((item) => this.#kept(member, item, place));
        return () => items.map((item) => item()).filter((item) => item !== undefined);
      },
    };
  }

  #map(member: Part): Part {
    return {
      schema: new Values(member.schema),
      make: (depth) =>
        Object.fromEntries(this.#several(() => [this.#pick(NAMES), this.#some(member, depth)])),
      keep: (value, place) => {
        const entries = Object.entries(isFields(value) ? value : {}).map(
          ([name, item]) => [name, this.#kept(member, item, { ...place, name })] as const,
        );
        return () =>
          Object.fromEntries(
            entries
              .map(([name, item]) => [name, item()] as const)
              .filter(([, item]) => item !== undefined && item !== null),
          );
      },
    };
  }

  #object(left: Part, right: Part): Part {
    return {
      schema: { left: left.schema, right: right.schema, plain: 0 },
      make: (depth) => ({
        left: this.#some(left, depth),
        right: this.#some(right, depth),
        plain: this.#choose(3),
      }),
      keep: (value, place) => {
        const { left: one, right: other, plain } = isFields(value) ? value : {};
        const kept = {
          left: this.#kept(left, one, { ...place, name: 'left' }),
          right: this.#kept(right, other, { ...place, name: 'right' }),
        };
        return () => ({ left: kept.left(), right: kept.right(), plain });
      },
    };
  }

  #lazy(kind: number): Part {
    const inner = this.#array(this.#entity(kind));
    const keyOf = (item: unknown): unknown => {
      const id = isFields(item) ? item['id'] : item;
      return id === null ? null : `${id as string | number}`;
    };
    return {
      schema: new Lazy(inner.schema),
      make: inner.make,
      keep: (value, place) => {
        inner.keep(value, place);
        const keys = itemsOf(value).map(keyOf);
        return () => keys;
      },
    };
  }

  #list(member: RecordPart): Part {
    this.#listCount += 1;
    // Those of one response must be distinguished; those of records are, by owner, field, name and order.
    const name = this.#isInRecords ? `list ${this.#choose(2)}` : `response ${this.#count++}`;
    return {
      schema: new Collection([member.schema], { name }),
      make: (depth) => this.#several(() => member.make(depth)),
      keep: (value, { owner, name: own, met }) => {
        const position = met.get(own) ?? 0;
        met.set(own, position + 1);
        const id = JSON.stringify([member.name, name, ...(owner ? [owner, own, position] : [])]);
        const labels = new Set(itemsOf(value).map((item) => member.label(item)));
        this.#changes.push(() => this.#lists.set(id, [...labels]));
        return () =>
          (this.#lists.get(id) ?? [])
            .filter((label) => this.rows.has(label))
            .map((label) => ({ label }));
      },
    };
  }
}

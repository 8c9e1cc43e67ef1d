/** What a set of transactions makes of rows and lists, or of those among them that started before some tick. */
import {
  entityOf,
  type Effects,
  type ListOperation,
  type Older,
  type Parts,
  type Patch,
  type Row,
  type RowKey,
} from './effects.js';
import { concerns, foldList, foldRow, partsOf } from './folds.js';
import { overwrite, type Merge } from './merges.js';
import type { ListName } from './program.js';
import type { Entry, Ranked } from './rank.js';

/** Everything that was ever said of rows and lists. */
export interface Said {
  readonly patches: ReadonlyMap<RowKey, readonly Entry<Patch>[]>;
  readonly operations: readonly Entry<ListOperation>[];
  readonly mergeIssues: Merge;
  /** The primary key that the server gave to the row with a temporary one; the same key as long as it gave none. */
  readonly realPk: (temporary: string) => string;
}

/** Whether a key is one that a create shows until the server gives another. */
export function isTemporary(pk: unknown): pk is string {
  return typeof pk === 'string' && pk.startsWith('~');
}

/** What transactions make of everything. */
export function sightOf(
  transactions: readonly (Ranked & { readonly effects: Effects })[],
  { mergeIssues, realPk }: Pick<Said, 'mergeIssues' | 'realPk'>,
): Sight {
  const patches = new Map<RowKey, Entry<Patch>[]>();
  const operations: Entry<ListOperation>[] = [];
  for (const by of transactions) {
    for (const what of by.effects.patches) {
      const entries = patches.get(what.cell);
      if (entries === undefined) patches.set(what.cell, [{ by, what }]);
      else entries.push({ by, what });
    }
    for (const what of by.effects.operations) operations.push({ by, what });
  }
  return new Sight({ patches, operations, mergeIssues, realPk });
}

export class Sight implements Older {
  readonly #said: Said;
  readonly #end: number;
  readonly #rows = new Map<RowKey, Row | undefined>();
  readonly #lists = new Map<ListName, readonly RowKey[] | undefined>();
  /** Shared by all sights of one moment. */
  readonly #earlier: Map<number, Sight>;

  /** `end`: the tick before which what counts has started. */
  constructor(said: Said, end = Infinity, earlier: Map<number, Sight> = new Map()) {
    this.#said = said;
    this.#end = end;
    this.#earlier = earlier;
  }

  /** Every row that something was said of. */
  get cells(): Iterable<RowKey> {
    return this.#said.patches.keys();
  }

  row(cell: RowKey): Row | undefined {
    if (!this.#rows.has(cell)) this.#rows.set(cell, this.#foldRow(cell));
    return this.#rows.get(cell);
  }

  /** Holds only members whose rows exist; undefined where the list is not known. */
  list(name: ListName): readonly RowKey[] | undefined {
    if (!this.#lists.has(name)) {
      const entries = this.#said.operations.filter(
        ({ by, what }) => by.start < this.#end && concerns(what, name),
      );
      const members = foldList(entries)?.filter((member) => this.row(member) !== undefined);
      this.#lists.set(name, members);
    }
    return this.#lists.get(name);
  }

  /** The parts of a list as a response would find it that came now. */
  parts(name: ListName): Parts | undefined {
    return partsOf(
      this.#said.operations.filter(({ what }) => concerns(what, name)),
      true,
    );
  }

  #foldRow(cell: RowKey): Row | undefined {
    const { patches, mergeIssues, realPk } = this.#said;
    const all = patches.get(cell) ?? [];
    const entries = all.filter(({ by }) => by.start < this.#end);
    const merge = entityOf(cell) === 'Issue' ? mergeIssues : overwrite;
    const row = foldRow(entries, merge, (start) => this.before(start), all);
    const parent = row?.['parent'];
    return isTemporary(parent) ? { ...row, parent: realPk(parent) } : row;
  }

  /** What an optimistic function sees: it depends on older ones only, so this comes to an end. */
  before(start: number): Sight {
    const known = this.#earlier.get(start);
    if (known !== undefined) return known;
    const sight = new Sight(this.#said, start, this.#earlier);
    this.#earlier.set(start, sight);
    return sight;
  }
}

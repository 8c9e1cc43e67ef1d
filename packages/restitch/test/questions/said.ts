/** What the server said so far, and in which order: the ledger that every reader is compared with. */
import type { Row } from './server.js';

/** When a request was sent, and when its response arrived. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Nothing else was under way that could rank above it. */
  readonly isClean: boolean;
}

/** One row of one table of the store. */
export interface RowLog {
  /** The version of each text that some response, or a local write, gave to a field. */
  readonly said: Map<string, number>;
  /** By field: nothing older may be shown. */
  readonly floor: Map<string, number>;
  /** The start of the newest read that held it. */
  newest: number;
  isDeleted: boolean;
  /** It was created here: what was sent is kept (4.4). */
  isCreated: boolean;
  /** Deletes of it that show and have no response yet. */
  leaving: number;
  /** A response said which rows it holds. */
  hasItems: boolean;
  /** A class made nothing of it, which takes it from every class of its table (contract 6.4); or its delete overlapped others. */
  mayVanish: boolean;
}

/** A response that held members of a list. */
export interface Members extends Span {
  readonly ids: readonly string[];
  /** Of a page: the row that it was asked behind. */
  readonly behind: string | undefined;
  /** The cursor beside the members. */
  readonly next: unknown;
}

/** A row that entered or left lists by what was done here. */
export interface Edit extends Span {
  readonly type: 'add' | 'remove';
  /** Of lists of this kind; undefined: every list of the table. */
  readonly home: string | undefined;
  /** Also of lists of this kind. */
  readonly inRecords?: string | undefined;
  readonly table: string;
  readonly id: string;
  readonly group: string | undefined;
  readonly owner: string | undefined;
  /** The one list that a removal is sure to reach; undefined: every list that it is about. */
  readonly filter: string | undefined;
  /** The row is not known completely: the lists are asked for again, and may lack it before. */
  readonly isUnsure?: boolean;
}

/** The responses to one question. */
export interface Asked {
  responses: number;
  failures: number;
  /** Fields that a response to it lacked. */
  readonly lacking: Set<string>;
  /** The versions of plain values. */
  readonly versions: Set<number>;
}

export class Said {
  readonly edits: Edit[] = [];
  readonly #rows = new Map<string, RowLog>();
  readonly #lists = new Map<string, Members[]>();
  readonly #asked = new Map<string, Asked>();

  row(table: string, id: string): RowLog {
    return got(this.#rows, `${table} ${id}`, () => ({
      said: new Map(),
      floor: new Map(),
      newest: 0,
      isDeleted: false,
      isCreated: false,
      hasItems: false,
      leaving: 0,
      mayVanish: false,
    }));
  }

  /** The responses that held members of a list. */
  list(key: string): Members[] {
    return got(this.#lists, key, () => []);
  }

  asked(wire: string, variant: string): Asked {
    return got(this.#asked, `${wire}|${variant}`, () => ({
      responses: 0,
      failures: 0,
      lacking: new Set(),
      versions: new Set(),
    }));
  }

  /** Takes a record in; a mutation ranks above every read that began before its response arrived. */
  take(table: string, row: Row, { start, end, isClean }: Span, isMutation: boolean): void {
    const log = this.row(table, row.id);
    const isNewest = isMutation || start >= log.newest;
    log.newest = Math.max(log.newest, isMutation ? end : start);
    for (const [field, text] of Object.entries(row)) {
      const version = versionOf(text);
      if (version === undefined) continue;
      log.said.set(`${field} ${text}`, version);
      const floor = log.floor.get(field) ?? 0;
      if (isClean && isNewest) log.floor.set(field, version);
      else log.floor.set(field, Math.min(floor, version));
    }
  }
}

function got<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** The version that a text of the server, or of a write, ends with. */
export function versionOf(text: string): number | undefined {
  const at = text.lastIndexOf('@');
  return at < 0 ? undefined : Number(text.slice(at + 1));
}

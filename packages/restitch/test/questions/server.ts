/** A REST server in memory. It knows what each URL, with its body and its authorization, holds. */
import { FIELDS, GROUPS, IDS, type SpaceSpec } from './program.js';
import { Flights, type Flight } from './flights.js';
import { itemsOf, routeOf, type Route } from './routes.js';

/** A record: its texts say which table, row and version they are of, so that no other record can be taken for it. */
export interface Row {
  readonly id: string;
  readonly [field: string]: string;
}

/** What a response says. */
export interface Content {
  /** The JSON of the response. */
  readonly value: unknown;
  /** The records in it. */
  readonly rows: readonly Row[];
  /** Of a list: its members in order. */
  readonly ids?: readonly string[];
  /** Of a record: the rows that it holds in a list, and the one that it refers to. */
  readonly items?: readonly Row[];
}

/** A response that is neither a record nor a list. */
export const ODD = { success: true };

export class NotFound extends Error {
  readonly status = 404;
}

export class Server {
  readonly flights: Flights;
  readonly #spaces: readonly SpaceSpec[];
  readonly #tables = [new Map<string, Row>(), new Map<string, Row>()] as const;
  readonly #lists = new Map<string, string[]>();
  #user = 0;
  #version = 0;
  #nextId = 10;

  constructor(spaces: readonly SpaceSpec[]) {
    this.#spaces = spaces;
    this.flights = new Flights((flight) => this.read(flight));
    this.#fill();
  }

  /** Everything is other data from now on. */
  changeUser(): void {
    this.#user++;
    this.#lists.clear();
    this.#fill();
  }

  #fill(): void {
    for (const [table, rows] of this.#tables.entries()) {
      rows.clear();
      for (const [index, id] of IDS.entries()) {
        rows.set(id, this.#row(table, id, { group: GROUPS[(index + table) % 2] ?? '' }));
      }
    }
  }

  /** A version that nothing had before: later ones are greater. */
  version(): number {
    return ++this.#version;
  }

  /** The response that a read would get now. */
  read(flight: Flight): Content {
    const route = routeOf(flight, this.#spaces);
    if (route.type === 'value') {
      return { value: { q: flight.wire, v: this.version() }, rows: [] };
    }
    const { table, space } = route;
    if (route.id !== undefined) {
      const row = this.#cut(this.#rowOf(table, route.id), space.detail);
      if (!space.isNesting || table === 1) return { value: row, rows: [row] };
      const items = this.#list(itemsOf(row.id)).map((id) => this.#cut(this.#rowOf(1, id), 1));
      return { value: { ...row, items, friend: items[0] ?? null }, rows: [row], items };
    }
    const all = this.#list(route);
    const from = route.cursor === undefined ? 0 : all.indexOf(route.cursor) + 1;
    const isPaged = space.isPaged && space.envelope > 0;
    const ids = isPaged ? all.slice(from, from + 2) : [...all];
    const rows = ids.map((id) => this.#cut(this.#rowOf(table, id), space.summary));
    const next = isPaged && from + 2 < all.length ? (ids.at(-1) ?? null) : null;
    return { value: enveloped(rows, next, space), rows, ids };
  }

  /** Carries out a create. */
  create(flight: Flight, body: Readonly<Record<string, string>>): Row {
    const route = routeOf(flight, this.#spaces);
    const row = this.#row(route.table, String(this.#nextId++), body);
    if (route.owner !== undefined) this.#list(route).push(row.id);
    for (const group of [undefined, row['group']]) {
      if (route.isList) this.#list({ ...route, group }).push(row.id);
    }
    this.#tables[route.table].set(row.id, row);
    return this.#cut(row, route.space.detail);
  }

  update(flight: Flight, body: Readonly<Record<string, string>>): Row {
    const route = routeOf(flight, this.#spaces);
    const id = route.id ?? body['id'] ?? '';
    const row: Row = { ...this.#rowOf(route.table, id), ...body };
    this.#tables[route.table].set(id, row);
    if (route.id === undefined) this.#leave(this.#list(route), id);
    if (body['group'] !== undefined) this.#move(row, route);
    return this.#cut(row, route.space.detail);
  }

  /** A row of another group leaves the lists of its old one. */
  #move({ id, group }: Row, { table }: Route): void {
    for (const [key, list] of this.#lists) {
      const own = groupOf(key);
      if (key.includes(`/t${table}/`) && own !== undefined && group !== own) this.#leave(list, id);
    }
  }

  delete(table: 0 | 1, id: string): void {
    if (!this.#tables[table].delete(id)) throw new NotFound();
    for (const [key, list] of this.#lists) if (key.includes(`/t${table}/`)) this.#leave(list, id);
  }

  /** Another record than the one with this id, for responses that hold one. */
  other(table: 0 | 1, id: string): Row | undefined {
    for (const row of this.#tables[table].values()) if (row.id !== id) return row;
    return undefined;
  }

  /** What others change. */
  elsewhere(what: 'edit' | 'insert' | 'drop' | 'delete', pick: number): string {
    const isSecond = [...this.#lists.keys()].some((key) => key.includes('/t1/'));
    const table = isSecond && pick % 2 === 1 ? 1 : 0;
    const rows = [...this.#tables[table].values()];
    const row = rows[pick % rows.length];
    const lists = [...this.#lists].filter(([key]) => key.includes(`/t${table}/`));
    const [key, list] = lists[pick % Math.max(1, lists.length)] ?? [];
    if (row === undefined || (list === undefined && (what === 'insert' || what === 'drop')))
      return 'nothing';
    if (what === 'edit') this.#tables[table].set(row.id, this.#row(table, row.id, row, true));
    if (what === 'delete') this.delete(table, row.id);
    if (what === 'drop') list?.splice(pick % Math.max(1, list.length), 1);
    if (what === 'insert' && list) {
      const group = groupOf(key ?? '') ?? GROUPS[pick % 2] ?? '';
      const made = this.#row(table, String(this.#nextId++), { group });
      this.#tables[table].set(made.id, made);
      list.splice(pick % Math.min(3, list.length + 1), 0, made.id);
    }
    return what === 'edit' || what === 'delete'
      ? `${what} t${table}/${row.id}`
      : `${what}: ${key} is now ${list?.join()}`;
  }

  #rowOf(table: 0 | 1, id: string): Row {
    const row = this.#tables[table].get(id);
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** A row whose texts are new where nothing is given for them. */
  #row(table: number, id: string, given: Readonly<Record<string, string>>, anew = false): Row {
    const version = this.version();
    const made = FIELDS[2].map((field) => [field, `t${table}/${id}/${field}@${version}`]);
    const texts: Readonly<Record<string, string>> = Object.fromEntries(made);
    return anew ? { ...given, ...texts, id } : { ...texts, ...given, id };
  }

  #cut(row: Row, fields: number): Row {
    const cut: Record<string, string> = { group: row['group'] ?? '' };
    for (const field of FIELDS[2].slice(0, fields)) cut[field] = row[field] ?? '';
    return { ...cut, id: row.id };
  }

  /** The members of a list: at first some of the rows, in an order that depends on its key. */
  #list({ key, table, space, group, owner }: Route): string[] {
    const full = `${key}?${group ?? ''}${owner ?? ''}`;
    let list = this.#lists.get(full);
    if (list === undefined) {
      const hash = [...full, ...'u'.repeat(this.#user)].reduce(
        (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1021,
        7,
      );
      const rows = [...this.#tables[table].values()].filter(
        (row, index) => space.isPaged || (hash >> index) % 2 === 0 || index === hash % 5,
      );
      const ids = rows
        .filter((row) => group === undefined || row['group'] === group)
        .map(({ id }) => id);
      const turn = hash % 3;
      list = [...ids.slice(turn), ...ids.slice(0, turn)];
      this.#lists.set(full, list);
    }
    return list;
  }

  #leave(list: string[], id: string): void {
    if (list.includes(id)) list.splice(list.indexOf(id), 1);
  }
}

/** The group alone that a list is of. */
const groupOf = (key: string): string | undefined =>
  GROUPS.find((group) => key.endsWith(`?${group}`));

function enveloped(rows: readonly Row[], next: string | null, space: SpaceSpec): unknown {
  const results = space.isMap ? Object.fromEntries(rows.map((row) => [`k${row.id}`, row])) : rows;
  if (space.envelope === 0) return results;
  return space.envelope === 1 ? { results, next } : { data: { results }, next };
}

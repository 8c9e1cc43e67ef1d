/** Compares a shown record with what was said of its row. */
import { itemsRead, type Declared } from './classes.js';
import { Fault } from './fault.js';
import { checkMembers } from './membership.js';
import type { Asked, Said } from './said.js';

/**
 * Checks one record. `asked`: the question of its response; a default in place of a value is then explained by a response that lacked
 * the field. Without one defaults stand for what is not known.
 */
export function checkRecord(
  said: Said,
  cls: Declared,
  current: unknown,
  id: string | undefined,
  asked: Asked | undefined,
): string {
  if (!(current instanceof cls.entity)) {
    throw new Fault('foreign-class', `${text(current)} is no instance of ${cls.label}`);
  }
  const fields: Readonly<Record<string, unknown>> = { ...current };
  const own = String(fields['id']);
  if (id !== undefined && own !== id) {
    throw new Fault('foreign-row', `row ${own} is shown for row ${id}`);
  }
  const log = said.row(cls.table, own);
  if (log.isDeleted) throw new Fault('deleted-row', `row ${own} was deleted`);
  for (const field of cls.fields) {
    const value = fields[field];
    if (value === '') {
      const mayLack = !(log.isCreated && field === 'title');
      const isKnownToLack =
        mayLack && (asked === undefined || cls.spec.isPartial || asked.lacking.has(field));
      if (!isKnownToLack)
        throw new Fault(
          'summary-for-record',
          `\`${field}\` of row ${own} is the default: ${text(current)}`,
        );
      continue;
    }
    const version = log.said.get(`${field} ${String(value)}`);
    if (version === undefined) {
      throw new Fault(
        'foreign-text',
        `\`${field}\` of row ${own} of ${cls.label} was never ${text(value)}`,
      );
    }
    const floor = log.floor.get(field) ?? 0;
    if (version < floor) {
      throw new Fault(
        'old-text',
        `\`${field}\` of row ${own} is ${text(value)}, older than @${floor}`,
      );
    }
  }
  if (cls.owned) checkOwned(said, cls, cls.owned, own, fields, asked);
  return own;
}

/** Checks the rows that a record holds. */
function checkOwned(
  said: Said,
  cls: Declared,
  owned: Declared,
  id: string,
  { items, friend }: Readonly<Record<string, unknown>>,
  asked: Asked | undefined,
): void {
  if (friend != null) checkRecord(said, owned, friend, undefined, undefined);
  const current: readonly unknown[] = Array.isArray(items) ? items : [];
  const ids = current.map((item) => checkRecord(said, owned, item, undefined, undefined));
  const { hasItems, mayVanish } = said.row(cls.table, id);
  // A mutation that was sent after a delete, and overlapped it, makes the row anew: of what was there before nothing is left.
  if (ids.length > 0 || (hasItems && !mayVanish)) {
    const read = itemsRead(cls, owned, id);
    checkMembers(said, read, `${read.home} ${read.filter}`, ids);
  } else if (asked && !cls.spec.isPartial && !asked.lacking.has('items')) {
    throw new Fault('summary-for-record', `the items of row ${id} are the default`);
  }
}

export function text(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Mistakes in the change feed that are planted on purpose: the property finds each of them. */
import { describe, expect, it } from 'vitest';
import type { ChangeSet } from 'restitch/state';
import type { Mistake } from './follower.js';
import { Issue } from './entities.js';
import { search } from './search.js';
import { VARIANTS } from './variants.js';

const without =
  (part: 'rows' | 'lists' | 'results', goes: (one: object) => boolean): Mistake =>
  (change) => ({ ...change, [part]: change[part].filter((one) => !goes(one)) });

/** A change again with the one after it. */
function twice(): Mistake {
  let before: ChangeSet | undefined;
  return (change) => {
    const rows = [...(before?.rows ?? []), ...change.rows];
    before = change.cause === 'reset' ? undefined : change;
    return { ...change, rows };
  };
}

const MISTAKES: Readonly<Record<string, () => Mistake>> = {
  'deletions are left out': () => without('rows', (row) => 'fields' in row && !row.fields),
  'removed results are left out': () => without('results', (result) => 'gone' in result),
  'changes of known lists are left out': () => {
    const known = new Set<string>();
    return without('lists', (list) => {
      const args = 'args' in list ? JSON.stringify(list.args) : '';
      return known.size === known.add(args).size;
    });
  },
  'a created row is in a change under its temporary key': () => (change) => ({
    ...change,
    rows: change.rows.map((row) => ({ ...row, pk: row.renamedFrom ?? row.pk })),
  }),
  'optimistic updates are in the changes': () => (change, controller) => ({
    ...change,
    rows: change.rows.map((row) => {
      const current = row.entity === 'Issue' && controller.get(Issue, { id: row.pk });
      return current && row.fields ? { ...row, fields: { ...row.fields, n: current.n } } : row;
    }),
  }),
  'every other change is left out': () => {
    let last = 0;
    return (change) => (last++ % 2 === 0 ? change : undefined);
  },
  'equal rows are in a change again': twice,
  'a reset is no change of its own': () => (change) =>
    change.cause === 'reset' ? { ...change, cause: 'local' } : change,
  'numbers have gaps': () => (change) => ({ ...change, seq: change.seq * 2 - 1 }),
};

describe('the fold of all changes shows a mistake within 200 programs', () => {
  it.each(Object.entries(MISTAKES))('%s', { timeout: 60_000 }, async (_, make) => {
    const { failure } = await search(
      VARIANTS.freshness.options,
      { runs: 200, seed: 1, shrinks: false },
      // A fresh one for each program, as the feed is.
      make,
    );
    expect(failure).toBeDefined();
  });
});

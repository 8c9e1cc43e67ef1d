/** Responses that say what is known already. */
import type { Row, RowKey } from './effects.js';
import type { Visible } from './model.js';
import {
  isRead,
  type Ending,
  type Id,
  type IssuePayload,
  type Request,
  type Write,
} from './program.js';
import { isTemporary } from './sight.js';

/** How the request really ends: where it only repeats, with the rows as they are known. */
export function endingOf(request: Request, ending: Ending, { rows }: Visible): Ending {
  if (ending.repeats !== true || !isRead(request)) return ending;
  const { repeats: _, ...fresh } = ending;
  return {
    ...fresh,
    rows: repeated(ending.rows, rows),
    ...('id' in request && {
      issue: knownRow(rows, `Issue:${request.id}`) ?? ending.issue,
      user: knownRow(rows, `User:${request.id}`) ?? ending.user,
    }),
  };
}

/** What a write really says. */
export function writeOf(write: Write, { rows }: Visible): Write {
  if (!('repeats' in write)) return write;
  const { repeats, ...fresh } = write;
  return repeats === true ? { ...fresh, rows: repeated(write.rows, rows) } : fresh;
}

function repeated(
  settled: readonly IssuePayload[],
  rows: ReadonlyMap<RowKey, Row>,
): readonly IssuePayload[] {
  return settled.map((row) => {
    const known = knownRow(rows, `Issue:${row.id}`);
    return { ...(known ?? row), id: idOf(known) ?? row.id };
  });
}

/** A row as it is known, unless it refers to one that the server cannot know yet. */
function knownRow(rows: ReadonlyMap<RowKey, Row>, key: RowKey): Row | undefined {
  const row = rows.get(key);
  return Object.values(row ?? {}).some(isTemporary) ? undefined : row;
}

/** Compares as spelled by the last writer: numbers and texts are not equal. */
function idOf(known: Row | undefined): Id | undefined {
  const id = known?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

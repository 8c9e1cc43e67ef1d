import { fieldsOf } from '../../schema/formFields.js';
import { shapesIn } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from '../journal/Transaction.js';
import { withSent } from '../normalize/withSentFields.js';
import { editEntry, logEntries } from './listLog.js';
import { editOf, ownFilterOf } from './membership.js';

/**
 * Called if the created or moved rows are unknown. All lists that the row may enter or leave are
 * fetched again.
 */
export function noteUnseen(
  store: Store,
  shape: Shape,
  args: readonly unknown[],
  transaction: Transaction,
): void {
  const body = args.at(-1);
  for (const found of shapesIn(shape)) {
    const part = found.kind === 'array' ? found.member : found;
    if (part.kind !== 'edit') {
      continue;
    }
    const { edit } = part;
    const { action } = edit;
    const bodies = action === 'assign' ? Object(body) : [body].flat();
    const entries = Object.values<unknown>(bodies).map((sent) => {
      const fields = Object(withSent(args, part, fieldsOf(sent), sent));
      // A move can change any list, because the new fields of the row are unknown. A custom filter
      // may read fields that were not sent.
      return editEntry(store, part.list, transaction, undefined, (list) =>
        action === 'move' ||
        editOf({ shape: part, args, temporary: true, key: undefined }, '', fields, list) ||
        ownFilterOf(edit, list.shape.collection)
          ? 'unclear'
          : undefined,
      );
    });
    logEntries(store, transaction, entries);
  }
}

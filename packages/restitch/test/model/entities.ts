/** The records that the programs run on. */
import { Entity, indexBy } from 'restitch';
import type { EntityMeta } from 'restitch';
import { countsLess, joinTitles, type Fields, type Merging } from './merges.js';
import type { Id } from './program.js';

export class User extends Entity {
  id: Id = '';
  name = '';
  friend: User | null | undefined = undefined;

  static override key = 'User';
  // What is known of a row shows: order decides what that is, be it the whole row or not.
  static override partial = true;
  static override schema: Record<string, unknown> = { friend: User };
}

export class Issue extends Entity {
  id: Id = '';
  title = '';
  n = 0;
  status = '';
  author: User | null | undefined = undefined;
  parent: Issue | null | undefined = undefined;

  static override key = 'Issue';
  static override partial = true;
  static override indexes = indexBy('title');
  static override schema: Record<string, unknown> = { author: User, parent: Issue };
}

/** An issue with a merge of its own. */
export class JoiningIssue extends Issue {
  static override schema: Record<string, unknown> = { author: User, parent: JoiningIssue };

  static override merge(existing: Fields, incoming: Fields): Record<string, unknown> {
    return joinTitles(existing, incoming);
  }
}

/** An issue that says itself which of two records is newer. */
export class CountedIssue extends Issue {
  static override schema: Record<string, unknown> = { author: User, parent: CountedIssue };

  static override shouldReorder(
    _existingMeta: EntityMeta,
    _incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): boolean {
    return countsLess(existing, incoming);
  }
}

/** A record that nothing else leads to. */
export class Unrelated extends Entity {
  id = '';
  at = 0;

  static override key = 'Unrelated';
}

export type IssueClass = typeof Issue;

export const ISSUES: Readonly<Record<Merging, IssueClass>> = {
  plain: Issue,
  titles: JoiningIssue,
  counts: CountedIssue,
};

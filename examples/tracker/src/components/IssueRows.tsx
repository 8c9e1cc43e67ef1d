import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { keyOf } from 'restitch';
import type { Issue } from '../api/entities.js';
import { useNavigation } from '../state/place.js';
import { focusRow, onReveal } from '../state/rowFocus.js';
import { shownRows } from '../state/shownRows.js';
import { useVirtualRows } from '../state/useVirtualRows.js';
import { IssueRow } from './IssueRow.js';

interface IssueRowsProps {
  issues: readonly Issue[];
  /** The number of issues that pass the filters, those on further pages included. */
  total: number;
  scroller: HTMLElement | null;
}

/** The rows of the list. Only those on the screen, and some around it, are in the page. */
export function IssueRows({ issues, total, scroller }: IssueRowsProps) {
  const { issueId, isPending, open } = useNavigation();
  const focused = useRef<string>(undefined);
  // A list can be long by now, and it renders at each step of scrolling.
  const keys = useMemo(() => issues.map((issue) => keyOf(issue)), [issues]);
  const { rows, height, measure, reveal } = useVirtualRows({ scroller, keys, focused });
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;

  useEffect(() => {
    scroller?.scrollTo({ top: 0 });
  }, [scroller]);
  useEffect(() => shownRows.set({ first, last }), [first, last]);
  useEffect(() => onReveal((id) => reveal(issues.findIndex((issue) => issue.id === id))));

  const press = (event: KeyboardEvent<HTMLElement>) => {
    const index = keys.indexOf(focused.current ?? '');
    const target = targetOf(event, index, issues.length);
    const issue = target === undefined ? undefined : issues[target];
    if (index < 0 || !issue) return;
    event.preventDefault();
    focusRow(issue.id);
  };

  return (
    <ul
      className="rows"
      aria-label="Issues"
      aria-busy={isPending}
      style={{ height }}
      onKeyDown={press}
      onFocus={(event) => {
        focused.current = event.target.closest<HTMLElement>('.row')?.dataset['key'];
      }}
      onBlur={() => {
        focused.current = undefined;
      }}
    >
      {rows.map(({ key, index, start }) => {
        const issue = issues[index];
        if (!issue) return null;
        return (
          <li
            key={key}
            ref={measure}
            className="row"
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={total}
            aria-posinset={index + 1}
            aria-busy={!issue.isSaved}
            data-index={index}
            data-key={key}
            data-issue={issue.isSaved ? issue.id : 'new'}
            data-saved={issue.isSaved}
          >
            <IssueRow issue={issue} isOpen={issue.id === issueId} onOpen={open} />
          </li>
        );
      })}
    </ul>
  );
}

/** The row that a key leads to: the arrows go from row to row, Home and End to the first and the last loaded one. */
function targetOf({ key, target }: KeyboardEvent, index: number, count: number) {
  if (!(target instanceof HTMLAnchorElement)) return undefined;
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useSuspense } from 'restitch/react';
import { IssueResource } from '../api/resources.js';
import { useRowsByUrl } from '../compare/useByUrl.js';
import { useNavigation } from '../state/place.js';
import { IssueRow } from './IssueRow.js';
import { ListEnd } from './ListEnd.js';

/** All issues that pass the filters: the first page, and the pages that `ListEnd` appends to it. */
export function IssueList() {
  const place = useNavigation();
  const { filters, issueId, isPending, open } = place;
  const { results, end, remaining } = useSuspense(IssueResource.getList, filters);
  const scroller = useRef<HTMLDivElement>(null);
  useRowsByUrl(place);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [filters]);

  return (
    <div className="list" data-pending={isPending} ref={scroller}>
      {results.length === 0 ? (
        <p className="empty">No issue matches.</p>
      ) : (
        <ul className="rows" aria-label="Issues" aria-busy={isPending} onKeyDown={moveFocus}>
          {results.map((issue) => (
            <IssueRow key={issue.pk()} issue={issue} isOpen={issue.id === issueId} onOpen={open} />
          ))}
        </ul>
      )}
      <ListEnd
        key={JSON.stringify(filters)}
        filters={filters}
        count={results.length}
        end={end}
        remaining={remaining}
      />
    </div>
  );
}

/** The arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const next =
    rows[
      rows.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)
    ];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

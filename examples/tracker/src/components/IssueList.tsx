import type { KeyboardEvent } from 'react';
import { useSuspense } from 'restitch/react';
import { IssueResource } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { IssueRow } from './IssueRow.js';
import { Glyph } from './icons.js';

const PAGE_SIZE = 50;

export function IssueList() {
  const { filters, issueId, isPending, filter, open } = useNavigation();
  const { results, total, nextOffset } = useSuspense(IssueResource.getList, filters);
  const offset = filters.offset ?? 0;
  const page = 1 + offset / PAGE_SIZE;
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));

  return (
    <div className="list" data-pending={isPending}>
      {results.length === 0 ? (
        <p className="empty">No issue matches.</p>
      ) : (
        <ul className="rows" aria-label="Issues" aria-busy={isPending} onKeyDown={moveFocus}>
          {results.map((issue) => (
            <IssueRow key={issue.pk()} issue={issue} isOpen={issue.id === issueId} onOpen={open} />
          ))}
        </ul>
      )}
      <nav className="pages" aria-label="Pages">
        <button
          type="button"
          className="icon-button"
          aria-label="Previous page"
          disabled={offset === 0}
          onClick={() => filter({ offset: offset > PAGE_SIZE ? offset - PAGE_SIZE : undefined })}
        >
          <Glyph name="left" />
        </button>
        Page {page.toLocaleString('en')} of {pages.toLocaleString('en')}
        <button
          type="button"
          className="icon-button"
          aria-label="Next page"
          disabled={nextOffset === null}
          onClick={() => filter({ offset: nextOffset ?? undefined })}
        >
          <Glyph name="right" />
        </button>
      </nav>
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

import { useEffect, useRef } from 'react';
import type { InfiniteList } from 'restitch';
import type { IssueResource } from '../api/resources.js';

interface ListEndProps {
  list: InfiniteList<typeof IssueResource.getList>;
  total: number;
}

/** Loads the next page when the end of the list comes near. The button is for keyboards, and for a page that failed. */
export function ListEnd({ list, total }: ListEndProps) {
  const { items, hasNext, isLoadingNext, nextError, loadNext } = list;
  const element = useRef<HTMLDivElement>(null);

  // Observed anew behind each page: where it is shorter than the screen, the end is still near.
  useEffect(() => {
    if (!element.current || !hasNext || isLoadingNext || nextError) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void loadNext();
      },
      { root: element.current.parentElement, rootMargin: '900px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [hasNext, isLoadingNext, nextError, loadNext]);

  return (
    <div className="list-end" ref={element} aria-busy={isLoadingNext}>
      <span role="status" aria-label="Loaded">
        {items.length.toLocaleString('en')} of {total.toLocaleString('en')} issues
      </span>
      {nextError && <span role="alert">{nextError.message}</span>}
      {hasNext && (
        <button
          type="button"
          className="button"
          onClick={() => {
            if (!isLoadingNext) void loadNext();
          }}
        >
          {isLoadingNext ? 'Loading…' : nextError ? 'Try again' : 'Load more'}
        </button>
      )}
    </div>
  );
}

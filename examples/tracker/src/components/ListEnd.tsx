import { useEffect, useRef } from 'react';
import { useController, useLoading } from 'restitch/react';
import { IssueResource, type IssueFilters } from '../api/resources.js';

interface ListEndProps {
  filters: IssueFilters;
  /** How many issues the list holds by now. */
  count: number;
  /** The cursor of the last row. */
  end: string | null;
  remaining: number;
}

/** Loads the next page when the end of the list comes near. The button is for keyboards, and for a page that failed. */
export function ListEnd({ filters, count, end, remaining }: ListEndProps) {
  const controller = useController();
  const [more, isLoading, error] = useLoading((after: string) =>
    controller.fetch(IssueResource.getList.getPage, { ...filters, after }),
  );
  const element = useRef<HTMLDivElement>(null);
  const next = remaining > 0 ? end : null;

  useEffect(() => {
    if (!element.current || next === null || isLoading || error) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void more(next);
      },
      { root: element.current.parentElement, rootMargin: '600px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [next, isLoading, error, more]);

  return (
    <div className="list-end" ref={element} aria-busy={isLoading}>
      <span role="status" aria-label="Loaded">
        {count.toLocaleString('en')} of {(count + remaining).toLocaleString('en')} issues
      </span>
      {error && <span role="alert">{error.message}</span>}
      {next !== null && (
        <button type="button" className="button" onClick={() => isLoading || void more(next)}>
          {isLoading ? 'Loading…' : error ? 'Try again' : 'Load more'}
        </button>
      )}
    </div>
  );
}

import { useState } from 'react';
import { useInfinite } from 'restitch/react';
import { IssueResource } from '../api/resources.js';
import { useNavigation } from '../state/place.js';
import { IssueRows } from './IssueRows.js';
import { ListEnd } from './ListEnd.js';

/** All issues that pass the filters, page by page. */
export function IssueList() {
  const { filters, isPending } = useNavigation();
  const list = useInfinite(IssueResource.getList, filters);
  // State and not a ref: the rows can only be placed when the element is there.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const total = list.items.length + list.beside.remaining;

  return (
    <div className="list" data-pending={isPending} ref={setScroller}>
      {list.items.length === 0 ? (
        <p className="empty">No issue matches.</p>
      ) : (
        <IssueRows
          key={JSON.stringify(filters)}
          issues={list.items}
          total={total}
          scroller={scroller}
        />
      )}
      <ListEnd list={list} total={total} />
    </div>
  );
}

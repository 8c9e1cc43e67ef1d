import { useState } from 'react';
import { AsyncBoundary } from 'restitch/react';
import type { IssueFilters } from './api/resources.js';
import { CreateIssue } from './components/CreateIssue.js';
import { FailedCreates } from './components/FailedCreates.js';
import { DetailSkeleton, LoadError } from './components/Feedback.js';
import { IssueDetail } from './components/IssueDetail.js';
import { IssueList } from './components/IssueList.js';
import { ListSkeleton } from './components/ListSkeleton.js';
import { Meter } from './components/Meter.js';
import { Sidebar } from './components/Sidebar.js';
import { Toasts } from './components/Toasts.js';
import { Toolbar } from './components/Toolbar.js';
import { NavigationContext, usePlace } from './state/place.js';
import { useDrafts } from './state/useDrafts.js';
import { useShortcuts } from './state/useShortcuts.js';

export function App() {
  const place = usePlace();
  const drafts = useDrafts();
  useShortcuts({ create: drafts.open, close: () => place.open(undefined) });
  // On narrow screens the menu covers the list. It is open for the filters it was opened at: choosing others puts it away.
  const [menuFor, setMenuFor] = useState<IssueFilters>();
  const isMenuOpen = menuFor === place.filters;

  return (
    <NavigationContext value={place}>
      <div className="app" data-detail={place.issueId !== undefined} data-menu={isMenuOpen}>
        <Sidebar onCreate={drafts.open} />
        {isMenuOpen && (
          <button
            type="button"
            className="scrim"
            aria-label="Close the menu"
            onClick={() => setMenuFor(undefined)}
          />
        )}
        <main className="main">
          <Toolbar onMenu={() => setMenuFor(isMenuOpen ? undefined : place.filters)} />
          <FailedCreates onEdit={drafts.edit} />
          <AsyncBoundary fallback={<ListSkeleton />} errorComponent={LoadError}>
            <IssueList />
          </AsyncBoundary>
        </main>
        {place.issueId !== undefined && (
          <aside className="detail" aria-label="Issue">
            <AsyncBoundary
              key={place.issueId}
              fallback={<DetailSkeleton />}
              errorComponent={LoadError}
            >
              <IssueDetail id={place.issueId} />
            </AsyncBoundary>
          </aside>
        )}
        <Meter />
        {drafts.current && <CreateIssue {...drafts.current} onClose={drafts.close} />}
        <Toasts />
      </div>
    </NavigationContext>
  );
}

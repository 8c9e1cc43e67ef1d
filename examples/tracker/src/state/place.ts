import { createContext, use, useCallback, useEffect, useState, useTransition } from 'react';
import type { IssueFilters } from '../api/resources.js';
import { createStore } from './createStore.js';

/** The place of the reader: all of it is in the address, so that Back, Reload and links work. */
export interface Place {
  filters: IssueFilters;
  /** The issue that the detail pane shows. */
  issueId?: number;
  /** True while the page polls for the changes of other windows. */
  isLive: boolean;
}

export interface Navigation extends Place {
  /** True while the next place loads and the present one stays on the screen. */
  isPending: boolean;
  /** Changes filters. */
  filter: (change: IssueFilters) => void;
  /** Opens an issue in the detail pane; undefined closes it. */
  open: (issueId: number | undefined) => void;
  setLive: (isLive: boolean) => void;
}

const FILTERS = ['project', 'status', 'assignee', 'label', 'q', 'sort'] as const;

/** The place that is on the screen. */
export const shownPlace = createStore(parse(location.search));

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (!navigation) throw new Error('useNavigation() needs a NavigationContext around it');
  return navigation;
}

/** Holds the place in state, so that going elsewhere can be a transition: the old list stays until the new one is there. */
export function usePlace(): Navigation {
  const [place, setPlace] = useState(() => parse(location.search));
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    const follow = () => startTransition(() => setPlace(parse(location.search)));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);

  useEffect(() => shownPlace.set(place), [place]);

  const go = useCallback((change: (place: Place) => Partial<Place>) => {
    const here = parse(location.search);
    const next = { ...here, ...change(here) };
    history.pushState(null, '', address(next));
    startTransition(() => setPlace(next));
  }, []);
  const filter = useCallback(
    (change: IssueFilters) => go(({ filters }) => ({ filters: { ...filters, ...change } })),
    [go],
  );
  const open = useCallback((issueId: number | undefined) => go(() => ({ issueId })), [go]);
  const setLive = useCallback((isLive: boolean) => go(() => ({ isLive })), [go]);
  return { ...place, isPending, filter, open, setLive };
}

export function address({ filters, issueId, isLive }: Place): string {
  const search = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value) search.set(name, value);
  }
  if (issueId !== undefined) search.set('issue', String(issueId));
  if (isLive) search.set('live', '1');
  return `${location.pathname}?${search}`;
}

export function parse(text: string): Place {
  const search = new URLSearchParams(text);
  const filters: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = search.get(name);
    if (value) filters[name] = value;
  }
  const issueId = Number(search.get('issue'));
  // The address may hold anything; the server refuses unknown values, and the list says so.
  return {
    filters: filters as IssueFilters,
    issueId: issueId > 0 ? issueId : undefined,
    isLive: search.has('live'),
  };
}

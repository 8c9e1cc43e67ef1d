import { useEffect, useRef } from 'react';
import {
  type ArgsOf,
  type InfiniteMember,
  type OpenWindow,
  type PagedEndpoint,
  type SparseList,
  windowed,
  type WindowRange,
} from '../index.js';
import { cancellingOf } from './cancelling.js';
import { looking } from './readerModes.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useOngoing } from './useOngoing.js';
import { useView } from './useView.js';

/**
 * Reads rows of a list by index, for virtual lists, tables and "jump to row". Loads only the pages
 * with rows in the range. Never suspends.
 *
 * @remarks Needs `byPage` or `byOffset` with a `total`. `null` as the only argument of the endpoint
 * skips the list and returns an empty one.
 *
 * @example
 * ```tsx
 * import { useState } from 'react';
 * import { byOffset, Collection, Entity, resource } from 'restitch';
 * import { useWindow } from 'restitch/react';
 *
 * class Issue extends Entity {
 *   id = 0;
 *   title = '';
 * }
 * const Issues = resource({
 *   path: '/issues/:id',
 *   schema: Issue,
 *   pagination: byOffset({ param: 'offset', total: 'total' }),
 * }).extend('getList', { schema: { results: new Collection([Issue]), total: 0 } });
 *
 * const HEIGHT = 30;
 *
 * export function IssueList() {
 *   const [top, setTop] = useState(0);
 *   const start = Math.floor(top / HEIGHT);
 *   const rows = useWindow(Issues.getList, [], { start, end: start + 20 });
 *   const visible = Array.from({ length: 20 }, (_, index) => start + index);
 *   return (
 *     <div
 *       style={{ height: 600, overflow: 'auto' }}
 *       onScroll={(event) => setTop(event.currentTarget.scrollTop)}
 *     >
 *       <div style={{ height: rows.length * HEIGHT, position: 'relative' }}>
 *         {visible.filter((index) => index < rows.length).map((index) => (
 *           <p key={index} style={{ position: 'absolute', top: index * HEIGHT }}>
 *             {rows.at(index)?.title ?? '…'}
 *           </p>
 *         ))}
 *       </div>
 *     </div>
 *   );
 * }
 * ```
 */
export function useWindow<E extends PagedEndpoint>(
  endpoint: E,
  args: ArgsOrNull<E>,
  { start, end, keep }: WindowRange,
): SparseList<InfiniteMember<E>> {
  const { root } = useScope();
  // The cast: an endpoint that cancels was derived from one of the same type.
  const asked = (cancellingOf(endpoint)?.endpoint ?? endpoint) as E;
  // The cast: the condition has ruled out `[null]`.
  const view =
    args[0] === null ? undefined : windowed(root.controller, asked, ...(args as ArgsOf<E>));
  const snapshot = useView(root, view, looking, undefined);
  const opened = useRef<OpenWindow>(undefined);
  const open = (): (() => void) => {
    // `useOngoing` calls `open` only with a view.
    const own = view?.open({ start: 0, end: 0 });
    // The failed pages in the range are requested again.
    own?.move({ start, end, keep });
    opened.current = own;
    return () => {
      own?.close();
      if (opened.current === own) opened.current = undefined;
    };
  };
  useOngoing(root.controller, view, open);
  useEffect(() => opened.current?.move({ start, end, keep }), [view, start, end, keep]);
  return snapshot.status === 'ready' && snapshot.data ? snapshot.data : NOTHING;
}

const idle = Promise.resolve();

const NOTHING: SparseList<never> = Object.freeze({
  length: 0,
  at: () => undefined,
  isLoading: () => false,
  errorAt: () => undefined,
  refresh: () => idle,
});

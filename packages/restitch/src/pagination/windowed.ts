import type { EndpointView } from '../controller/EndpointView.js';
import type { ArgsOf } from '../endpoint/EndpointInterface.js';
import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { View } from '../controller/View.js';
import type { InfiniteMember, PagedEndpoint } from './InfiniteList.js';
import { listViewOf } from './listViewOf.js';
import type { OpenWindow, SparseList, WindowRange } from './SparseList.js';
import { windowEndpointOf } from './windowEndpointOf.js';
import { WindowViewClass } from './windowViewClass.js';

/** The live view of a windowed list. It loads the pages of the ranges that are open. */
export interface WindowView<E> extends View<SparseList<InfiniteMember<E>>> {
  /** Loads the pages of a range, and keeps them loaded until the range is closed. */
  readonly open: (range: WindowRange) => OpenWindow;
  /** Fetches the pages in the ranges again, and drops the others. The promise never rejects. */
  readonly refresh: () => Promise<void>;
}

const views = new WeakMap<object, WindowViewClass>();

/**
 * Returns the live view of a list whose rows are read by index in any order, for example by a
 * virtual list. While the view is in use, each call with the same endpoint and arguments returns
 * the same view.
 *
 * @throws RestitchError `no-pagination` if the `pagination` is neither `byPage` nor `byOffset`, or
 * the `schema` has no `Collection`. `window-without-total` if the pagination has no `total`.
 * @example
 * ```ts
 * import { byOffset, Collection, Controller, Entity, resource, windowed } from 'restitch';
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
 * const view = windowed(new Controller(), Issues.getList);
 * const rows = view.open({ start: 0, end: 30 });
 * const unsubscribe = view.subscribe(() => {
 *   const snapshot = view.getSnapshot();
 *   if (snapshot.status === 'ready') console.log(snapshot.data.length, snapshot.data.at(7)?.title);
 * });
 * rows.move({ start: 2_000_000, end: 2_000_030 });
 * unsubscribe();
 * rows.close();
 * ```
 */
export function windowed<E extends PagedEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): WindowView<E> {
  const made = windowEndpointOf(endpoint);
  // The cast: `observe` returns an `EndpointView` for an endpoint.
  const first = controller.observe(made.endpoint, ...args) as EndpointView<unknown>;
  const core = internalsOf(controller);
  const view = listViewOf(
    views,
    core,
    first,
    () => new WindowViewClass(core, controller, { ...made, first }),
  );
  // The cast: the view reads the rows of this endpoint.
  return view as unknown as WindowView<E>;
}

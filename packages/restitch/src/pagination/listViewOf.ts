import type { Core } from '../controller/Core.js';
import type { EndpointView } from '../controller/EndpointView.js';

interface ListView {
  /** Requests are then sent with the options of this copy of the endpoint. */
  renew(first: EndpointView<unknown>): void;
}

/** Copies of one endpoint share the view of their list: each has its own view of the first page. */
export function listViewOf<V extends ListView>(
  views: WeakMap<object, V>,
  core: Core,
  first: EndpointView<unknown>,
  create: () => V,
): V {
  const known = core.views.of(first.result).map((one) => views.get(one));
  const view = known.find((one) => one !== undefined) ?? create();
  views.set(first, view);
  view.renew(first);
  return view;
}

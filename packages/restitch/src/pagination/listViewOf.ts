import type { Core } from '../controller/Core.js';
import { EndpointView } from '../controller/EndpointView.js';
import type { LiveView } from '../controller/LiveView.js';
import { allArgs } from '../schema/identityText.js';
import { collectionOf } from '../schema/listsInSchema.js';
import type { Shape } from '../schema/shapes.js';
import { questionOf } from '../store/views/queries.js';

interface ListView {
  /** Requests are then sent with the options of this copy of the endpoint. */
  renew(first: EndpointView<unknown>): void;
}

/**
 * Copies of one endpoint share the view of their list: each has its own view of the first page.
 * Copies that differ in `invalidIfStale` do not: with the same data, one of them shows nothing.
 */
export function listViewOf<V extends ListView>(
  views: WeakMap<object, V>,
  core: Core,
  first: EndpointView<unknown>,
  create: () => V,
): V {
  let known: V | undefined;
  for (const one of core.views.of(first.result)) {
    known ??= isStrict(one) === isStrict(first) ? views.get(one) : undefined;
  }
  const view = known ?? create();
  views.set(first, view);
  view.renew(first);
  return view;
}

const isStrict = (view: LiveView<unknown>): boolean =>
  view instanceof EndpointView && view.endpoint.invalidIfStale === true;

/** In the arguments of `first`, the real key of a created record can replace its temporary key. */
export function listOf(source: { readonly first: EndpointView<unknown> }): {
  readonly shape: Shape;
  readonly reference: () => unknown;
} {
  let known: readonly unknown[] | undefined;
  let question: ReturnType<typeof questionOf>;
  const read = (): typeof question => {
    const { endpoint, args } = source.first;
    if (known !== args) {
      known = args;
      question = questionOf(collectionOf(endpoint.schema), allArgs(endpoint, args));
    }
    return question;
  };
  return { shape: read().shape, reference: () => read().reference };
}

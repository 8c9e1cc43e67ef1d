import type { ArgsOf, Controller, ReadEndpoint, ValueOf, ViewSnapshot } from 'restitch';
import { readable, type Readable } from 'svelte/store';
import { follow } from './follow.js';

/** The result of an endpoint as a store, which updates while a component reads it as `$result`. */
export function resultOf<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): Readable<ViewSnapshot<ValueOf<E>>> {
  const view = controller.observe(endpoint, ...args);
  return readable(view.getSnapshot(), (set) => follow(view, set));
}

import type { ArgsOf, Controller, ReadEndpoint, ValueOf, ViewSnapshot } from 'restitch';
import { type Accessor, createComputed, createMemo, createSignal, onCleanup } from 'solid-js';
import { follow } from './follow.js';

/** The result of an endpoint as a signal, which updates as long as its owner lives. */
export function createResult<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  args: () => [...ArgsOf<E>],
): Accessor<ViewSnapshot<ValueOf<E>>> {
  const [result, show] = createSignal<ViewSnapshot<ValueOf<E>>>({ status: 'pending' });
  const view = createMemo(() => controller.observe(endpoint, ...args()));
  createComputed(() => onCleanup(follow(view(), (snapshot) => show(() => snapshot))));
  return result;
}

import type { ArgsOf, Controller, ReadEndpoint, ValueOf, ViewSnapshot } from 'restitch';
import { type ShallowRef, shallowRef, watch } from 'vue';
import { follow } from './follow.js';

/** The result of an endpoint as a ref, which updates while the component is mounted. */
export function useEndpoint<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  args: () => [...ArgsOf<E>],
): Readonly<ShallowRef<ViewSnapshot<ValueOf<E>>>> {
  const result = shallowRef<ViewSnapshot<ValueOf<E>>>({ status: 'pending' });
  watch(
    () => controller.observe(endpoint, ...args()),
    (view, _, onCleanup) => onCleanup(follow(view, (snapshot) => (result.value = snapshot))),
    { immediate: true },
  );
  return result;
}

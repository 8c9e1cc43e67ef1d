import type { Controller } from '../index.js';
import { useScope } from './scope.js';

/**
 * The provider's `Controller`: fetch, set, invalidate from event handlers. It and its methods stay the same over renders.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useController } from 'restitch/react';
 *
 * const logOut = new RestEndpoint({ path: '/session', method: 'DELETE' });
 *
 * export function LogOut() {
 *   const controller = useController();
 *   return <button onClick={() => controller.fetch(logOut)}>Log out</button>;
 * }
 * ```
 */
export function useController(): Controller {
  return useScope().root.controller;
}

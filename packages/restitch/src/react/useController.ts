import type { Controller } from '../index.js';
import { useScope } from './scope.js';

/**
 * Returns the provider's `Controller`, for example to fetch, set or invalidate in event handlers.
 * The controller and its methods are stable across renders.
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

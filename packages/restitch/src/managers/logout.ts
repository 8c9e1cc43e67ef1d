import type { Controller } from '../controller/Controller.js';

/**
 * Ends the session of a user: empties the store and aborts all requests in flight. Mounted readers
 * go back to their loading state. They send nothing until the application resumes them, for example
 * with `resetEntireStore()` after the next sign-in.
 *
 * @example
 * ```tsx
 * import { logout } from 'restitch';
 * import { useController } from 'restitch/react';
 *
 * export function SignOut({ showSignIn }: { showSignIn: () => void }) {
 *   const controller = useController();
 *   const signOut = () => {
 *     logout(controller);
 *     showSignIn();
 *   };
 *   return <button onClick={signOut}>Sign out</button>;
 * }
 * ```
 */
export function logout(controller: Controller): void {
  controller.resetEntireStore({ refetch: false });
}

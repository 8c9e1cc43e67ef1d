import type { Controller } from '../controller/Controller.js';

/**
 * Ends the session of a user: empties the store and aborts what is under way. Readers on the screen show that they wait, and
 * send nothing until the application says so: by a `resetEntireStore()` after the next sign-in, for example.
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

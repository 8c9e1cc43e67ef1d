import type { View } from 'restitch';

/** Returns the data of a view. Fails the test if the view is pending or has an error. */
export function readyData<T>(view: View<T>): T {
  const snapshot = view.getSnapshot();
  if (snapshot.status !== 'ready') throw new Error(`The list is ${snapshot.status}.`);
  return snapshot.data;
}

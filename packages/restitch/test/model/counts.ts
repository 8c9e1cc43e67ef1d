/** What is counted while programs run. */
export interface Counts {
  /** Commands that were carried out and compared. */
  readonly steps: number;
  readonly notifications: number;
  /** Notifications of views that show what they showed before. */
  readonly inVain: number;
  /** Those among them for which nothing behind what is shown changed either. */
  readonly forNothing: number;
  /** New objects that show what the old ones showed. */
  readonly renewedInVain: number;
}

export const NO_COUNTS: Counts = {
  steps: 0,
  notifications: 0,
  inVain: 0,
  forNothing: 0,
  renewedInVain: 0,
};

export function sum(a: Counts, b: Counts): Counts {
  return {
    steps: a.steps + b.steps,
    notifications: a.notifications + b.notifications,
    inVain: a.inVain + b.inVain,
    forNothing: a.forNothing + b.forNothing,
    renewedInVain: a.renewedInVain + b.renewedInVain,
  };
}

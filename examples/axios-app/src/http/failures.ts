/** Words for what went wrong, by status. */
const WORDS: Readonly<Record<number, string>> = {
  401: 'Please sign in.',
  403: 'You may not do this.',
  404: 'This is not here any more.',
  409: 'Somebody else was faster.',
  422: 'Please check what you entered.',
};

export function describeFailure(status: number | undefined): string {
  if (status === undefined) return 'The library cannot be reached.';
  return WORDS[status] ?? `The library responded with ${status}.`;
}

/** As in `24 December 2026`. */
export function longDate(text: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(text),
  );
}

export function isOverdue(due: string, today: string): boolean {
  return due < today;
}

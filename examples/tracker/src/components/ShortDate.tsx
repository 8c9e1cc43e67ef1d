const YEAR = 360 * 24 * 3_600_000;
const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const old = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric' });
/** When the page was opened: dates that are older than a year name theirs. */
const opened = Date.now();
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });

export function ShortDate({ date }: { date: Date }) {
  return (
    <time dateTime={date.toISOString()} title={full.format(date)}>
      {(opened - date.getTime() > YEAR ? old : short).format(date)}
    </time>
  );
}

const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });

export function ShortDate({ date }: { date: Date }) {
  return (
    <time dateTime={date.toISOString()} title={full.format(date)}>
      {short.format(date)}
    </time>
  );
}

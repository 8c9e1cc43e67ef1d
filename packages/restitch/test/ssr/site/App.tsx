import { type ReactNode, useEffect, useState } from 'react';
import { AsyncBoundary, useDLE, useSuspense } from 'restitch/react';
import { getCount, Issues, Users } from './api.js';

/** How often each component was rendered, by name; only in the browser it is read. */
export const renders: Record<string, number> = {};

function count(name: string): void {
  renders[name] = (renders[name] ?? 0) + 1;
}

/** A page whose three boundaries read a response each; two of them show the same user. */
export function App(): ReactNode {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Issues</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <Clicks />
        <main>
          <AsyncBoundary fallback={<p>list…</p>}>
            <List />
          </AsyncBoundary>
          <AsyncBoundary fallback={<p>author…</p>}>
            <Author id="a" />
          </AsyncBoundary>
          <AsyncBoundary fallback={<p>count…</p>}>
            <Count />
          </AsyncBoundary>
        </main>
      </body>
    </html>
  );
}

/** Shows that the page works, not only stands there. */
function Clicks(): ReactNode {
  const [clicks, setClicks] = useState(0);
  return <button onClick={() => setClicks(clicks + 1)}>clicked {clicks}</button>;
}

function List(): ReactNode {
  count('List');
  const issues = useSuspense(Issues.getList, { status: 'open' });
  return (
    <ul>
      {issues.map((issue) => (
        <Row key={issue.id} id={issue.id} />
      ))}
      <Hydrated name="list" />
    </ul>
  );
}

function Row({ id }: { id: string }): ReactNode {
  count(`Row ${id}`);
  const { title, author, openedAt } = useSuspense(Issues.get, { id });
  return (
    <li>
      {title} by {author.name}, {openedAt.getUTCFullYear()}
    </li>
  );
}

function Author({ id }: { id: string }): ReactNode {
  count('Author');
  const { name } = useSuspense(Users.get, { id });
  return (
    <h2>
      Author: {name}
      <Hydrated name="author" />
    </h2>
  );
}

function Count(): ReactNode {
  count('Count');
  const { open } = useSuspense(getCount);
  const { isStale } = useDLE(getCount);
  return (
    <p>
      {open} open{isStale ? ', once' : ''}
      <Hydrated name="count" />
    </p>
  );
}

/** Marks in the document that the boundary around it was taken over. */
function Hydrated({ name }: { name: string }): ReactNode {
  useEffect(() => {
    document.documentElement.dataset[name] = 'hydrated';
  }, [name]);
  return null;
}

import { type ReactNode } from 'react';
import { AsyncBoundary, useController, useSuspense } from 'restitch/react';
import { Authors, Books, Reviews } from './api.js';

export function App(): ReactNode {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Books</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <h1>Books</h1>
        <AsyncBoundary fallback={<p>The books…</p>}>
          <BookList />
        </AsyncBoundary>
        <h2>Reviews</h2>
        <AsyncBoundary fallback={<p>The reviews…</p>}>
          <ReviewList />
        </AsyncBoundary>
        <h2>Author of the month</h2>
        <AsyncBoundary fallback={<p>The author…</p>}>
          <Like id="1" />
        </AsyncBoundary>
      </body>
    </html>
  );
}

function BookList(): ReactNode {
  const books = useSuspense(Books.getList);
  return (
    <ul>
      {books.map(({ id, title, author }) => (
        <li key={id}>
          {title} by {author.name} <Like id={author.id} />
        </li>
      ))}
    </ul>
  );
}

function ReviewList(): ReactNode {
  const reviews = useSuspense(Reviews.getList);
  return (
    <ul>
      {reviews.map(({ id, text, author }) => (
        <li key={id}>
          {text}, says {author.name}, liked by {author.likes}
        </li>
      ))}
    </ul>
  );
}

function Like({ id }: { id: string }): ReactNode {
  const { name, likes } = useSuspense(Authors.get, { id });
  const { fetch } = useController();
  const like = () => void fetch(Authors.partialUpdate, { id }, { likes: likes + 1 });
  return (
    <button onClick={like} aria-label={`Like ${name}`}>
      ♥ {likes}
    </button>
  );
}

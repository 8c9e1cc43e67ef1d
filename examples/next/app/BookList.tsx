'use client';

import { useSyncExternalStore } from 'react';
import { useController, useSuspense } from 'restitch/react';
import { Author, Books } from '@/data/api';

const never = () => () => {};

export function BookList() {
  const books = useSuspense(Books.getList);
  const controller = useController();
  // Before the page is taken over, a click would do nothing.
  const isReady = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <ul>
      {books.map(({ id, title, author }) => (
        <li key={id}>
          {title} by {author.name}
          <button
            disabled={!isReady}
            onClick={() => controller.set(Author, author.id, { name: author.name.toUpperCase() })}
          >
            louder
          </button>
        </li>
      ))}
    </ul>
  );
}

'use client';

import { useSuspense } from 'restitch/react';
import { Reviews } from '@/data/api';

export function ReviewList() {
  const reviews = useSuspense(Reviews.getList);
  return (
    <ul>
      {reviews.map(({ id, text, author }) => (
        <li key={id}>
          {text}, says {author.name}
        </li>
      ))}
    </ul>
  );
}

'use client';

import { useSuspense } from 'restitch/react';
import { getImprint } from '@/data/api';

/** Stands in the static shell: its data is the same for all visitors, and there at once. */
export function Imprint() {
  const { publisher } = useSuspense(getImprint);
  return <footer>Published by {publisher}</footer>;
}

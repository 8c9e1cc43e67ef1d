import { connection } from 'next/server';
import type { ReactNode } from 'react';

/** Renders what it holds on the server for each visit. The static shell of the page shows the fallback around it. */
export async function PerVisit({ children }: { children: ReactNode }) {
  await connection();
  return children;
}

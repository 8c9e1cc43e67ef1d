import { connection } from 'next/server';
import type { ReactNode } from 'react';

/** Renders its children on the server for each visit. The static shell shows the fallback around it. */
export async function PerVisit({ children }: { children: ReactNode }) {
  await connection();
  return children;
}

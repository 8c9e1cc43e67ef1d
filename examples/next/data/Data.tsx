'use client';

import { useServerInsertedHTML } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DataProvider } from 'restitch/react';
import { hydrateController, stateSource } from 'restitch/ssr';

/** Provides one controller per request on the server, and one per page in the browser. */
export function Data({ children }: { children: ReactNode }) {
  const [controller] = useState(() => hydrateController());
  const [next] = useState(() => stateSource(controller));
  // Next.js calls this before it sends a chunk of the page, and puts the script before that chunk.
  useServerInsertedHTML(() => {
    const source = next();
    return source ? <script dangerouslySetInnerHTML={{ __html: source }} /> : null;
  });
  return <DataProvider controller={controller}>{children}</DataProvider>;
}

'use client';

import { useServerInsertedHTML } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DataProvider } from 'restitch/react';
import { hydrateController, stateSource } from 'restitch/ssr';

/** Provides the controller: on the server a new one per request, in the browser one with the data of the page. */
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

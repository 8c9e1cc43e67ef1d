'use client';

import { useServerInsertedHTML } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DataProvider } from 'restitch/react';
import { hydrateController, stateSource } from 'restitch/ssr';

/** Gives the page its controller: on the server a new one for each request, in the browser one filled from the page. */
export function Data({ children }: { children: ReactNode }) {
  const [controller] = useState(() => hydrateController());
  const [next] = useState(() => stateSource(controller));
  // Next.js calls this before it sends a piece of the page, and puts the script before that piece.
  useServerInsertedHTML(() => {
    const source = next();
    return source ? <script dangerouslySetInnerHTML={{ __html: source }} /> : null;
  });
  return <DataProvider controller={controller}>{children}</DataProvider>;
}

'use client';

import type { ReactNode } from 'react';
import { AsyncBoundary } from 'restitch/react';

export function Boundary({ fallback, children }: { fallback: string; children: ReactNode }) {
  return <AsyncBoundary fallback={<p>{fallback}</p>}>{children}</AsyncBoundary>;
}

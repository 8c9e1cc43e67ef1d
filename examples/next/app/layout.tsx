import type { ReactNode } from 'react';
import { Data } from '../data/Data';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Data>{children}</Data>
      </body>
    </html>
  );
}

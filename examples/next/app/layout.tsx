import type { Metadata } from 'next';
import { Data } from '@/data/Data';

export const metadata: Metadata = {
  title: 'Books',
  description: 'A page that streams with its data.',
};

export default function RootLayout({ children }: LayoutProps<'/'>) {
  return (
    <html lang="en">
      <body>
        <Data>{children}</Data>
      </body>
    </html>
  );
}

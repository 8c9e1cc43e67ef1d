import { BookList } from './BookList';
import { ReviewList } from './ReviewList';
import { Boundary } from './Boundary';

// Rendered for each request: what is rendered at build time has no visitor.
export const dynamic = 'force-dynamic';

export default function Page() {
  return (
    <main>
      <h1>Books</h1>
      <Boundary fallback="The books…">
        <BookList />
      </Boundary>
      <h2>Reviews</h2>
      <Boundary fallback="The reviews…">
        <ReviewList />
      </Boundary>
    </main>
  );
}

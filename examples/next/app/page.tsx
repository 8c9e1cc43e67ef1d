import { BookList } from './BookList';
import { Boundary } from './Boundary';
import { Imprint } from './Imprint';
import { PerVisit } from './PerVisit';
import { ReviewList } from './ReviewList';

export default function Home() {
  return (
    <main>
      <h1>Books</h1>
      <Boundary fallback="The books…">
        <PerVisit>
          <BookList />
        </PerVisit>
      </Boundary>
      <h2>Reviews</h2>
      <Boundary fallback="The reviews…">
        <PerVisit>
          <ReviewList />
        </PerVisit>
      </Boundary>
      <Imprint />
    </main>
  );
}

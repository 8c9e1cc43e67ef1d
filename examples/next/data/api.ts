import { Endpoint, Entity, resource, RestEndpoint, type RestGenerics } from 'restitch';

/** The server renders with the same paths as the browser, and needs an origin. */
const origin = typeof window === 'undefined' ? `http://127.0.0.1:${process.env.PORT ?? 3000}` : '';

class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  /** Here rather than in `urlPrefix`: the URL is part of the cache key, which must be the same on both sides. */
  override fetchResponse(input: string, init: RequestInit): Promise<Response> {
    // Next.js would keep the responses of `fetch` for all visitors.
    return super.fetchResponse(`${origin}${input}`, { ...init, cache: 'no-store' });
  }
}

// The browser's build shortens class names: hence the keys.
export class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';
}

export class Book extends Entity {
  id = '';
  title = '';
  author = Author.fromJS({});
  static override key = 'Book';
  static override schema = { author: Author };
}

export class Review extends Entity {
  id = '';
  text = '';
  author = Author.fromJS({});
  static override key = 'Review';
  static override schema = { author: Author };
}

export const Books = resource({ path: '/api/books/:id', schema: Book, Endpoint: ApiEndpoint });
export const Reviews = resource({
  path: '/api/reviews/:id',
  schema: Review,
  Endpoint: ApiEndpoint,
});

/** Read while the page is built, where Next.js refuses the time. */
export const getImprint = new Endpoint(async () => ({ publisher: 'Lovelace & Hopper' }), {
  name: 'getImprint',
});

import { Entity, resource, RestEndpoint, type RestGenerics } from 'restitch';

/** The origin of requests: empty in the browser, this server while it renders. */
export const api = { origin: '' };

class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  /** Here rather than in `urlPrefix`: the URL is part of the cache key, which must be the same on both sides. */
  override fetchResponse(input: string, init: RequestInit): Promise<Response> {
    return super.fetchResponse(`${api.origin}${input}`, init);
  }
}

// A bundler that shortens names would rename the classes in the browser alone: hence the keys.
export class Author extends Entity {
  id = '';
  name = '';
  likes = 0;
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
export const Authors = resource({
  path: '/api/authors/:id',
  schema: Author,
  optimistic: true,
  Endpoint: ApiEndpoint,
});

// @ts-check
import { Refusal } from './http.mjs';

/** @import { Context, Reply } from './http.mjs' */
/** @import { Stock } from './data.mjs' */

const COVER = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

/** @template T @param {T | undefined} found @param {string} what @returns {T} */
function present(found, what) {
  if (found === undefined) throw new Refusal(404, `No such ${what}`);
  return found;
}

/** @param {Context} context */
function memberOf({ headers }) {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new Refusal(401, 'Sign in first');
  return token;
}

/**
 * Every route by its method and path.
 *
 * @param {Stock} stock
 * @returns {Record<string, (context: Context) => Reply>}
 */
export function routes(stock) {
  const bookOf = (/** @type {string} */ id) =>
    present(
      stock.books.find((book) => String(book.id) === id),
      'book',
    );
  const search = (/** @type {URLSearchParams} */ query) => {
    const text = query.get('q')?.toLowerCase() ?? '';
    const author = query.get('author');
    const tags = query.getAll('tag');
    return stock.books.filter(
      (book) =>
        book.title.toLowerCase().includes(text) &&
        (author === null || String(book.authorId) === author) &&
        tags.every((tag) => book.tags.includes(tag)),
    );
  };

  return {
    'GET /health': () => ({ raw: 'open', type: 'text/plain' }),
    'GET /books': ({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const limit = Number(query.get('limit') ?? 20);
      const found = search(query);
      return {
        value: found.slice((page - 1) * limit, page * limit),
        headers: { 'x-total-count': String(found.length) },
      };
    },
    'POST /books': ({ body, headers }) => {
      if (!body?.title) throw new Refusal(422, 'A book needs a title');
      if (headers['x-client'] !== 'library-web') throw new Refusal(403, 'Unknown client');
      const book = { copies: 1, tags: [], ...body, id: stock.books.length + 1 };
      stock.books.push(book);
      return { status: 201, value: book };
    },
    'GET /books/:id': ({ params }) => ({ value: bookOf(params.id ?? '') }),
    'PUT /books/:id': ({ params, body }) => ({
      value: Object.assign(bookOf(params.id ?? ''), body),
    }),
    'PATCH /books/:id': ({ params, body }) => ({
      value: Object.assign(bookOf(params.id ?? ''), body),
    }),
    'DELETE /books/:id': ({ params }) => {
      stock.books.splice(stock.books.indexOf(bookOf(params.id ?? '')), 1);
      return {};
    },
    'GET /books/:id/cover': () => ({ raw: COVER, type: 'image/png' }),
    'PUT /books/:id/cover': ({ raw, headers }) => ({
      value: { bytes: raw.length, type: headers['content-type']?.split(';')[0] },
    }),
    'GET /books/:id/ratings': ({ params }) => ({ value: stock.ratings[params.id ?? ''] ?? [] }),
    'POST /books/:id/ratings': ({ params, body }) => {
      const list = (stock.ratings[params.id ?? ''] ??= []);
      list.push(Number(body.stars));
      return { status: 201, value: list };
    },
    'GET /authors': () => ({ value: stock.authors }),
    'GET /authors/:id': ({ params }) => ({
      value: present(
        stock.authors.find((author) => String(author.id) === params.id),
        'author',
      ),
    }),
    'GET /authors/:id/books/:order': ({ params }) => ({
      value: stock.books
        .filter((book) => String(book.authorId) === params.id)
        .sort((a, b) => (params.order === 'newest' ? b.year - a.year : a.year - b.year)),
    }),
    'GET /members/:id': ({ params }) => ({
      value: present(
        stock.members.find((member) => member._id === params.id),
        'member',
      ),
    }),
    'PATCH /members/:id': ({ params, body }) => ({
      value: Object.assign(
        present(
          stock.members.find((member) => member._id === params.id),
          'member',
        ),
        body,
      ),
    }),
    'GET /members/:id/loans': ({ params, query }) => ({
      value: stock.loans.filter(
        (loan) =>
          loan.memberId === params.id &&
          (query.get('before') === null || loan.due < String(query.get('before'))),
      ),
    }),
    'POST /loans': ({ body }) => {
      const book = bookOf(String(body.bookId));
      if (book.copies < 1) throw new Refusal(409, 'Every copy is out');
      book.copies -= 1;
      const loan = { ...body, id: `l${stock.loans.length + 1}`, due: '2026-12-24' };
      stock.loans.push(loan);
      return { status: 201, value: loan };
    },
    'POST /loans/:id/extend': ({ params }) => {
      const loan = present(
        stock.loans.find(({ id }) => id === params.id),
        'loan',
      );
      loan.due = '2027-01-24';
      return { value: loan };
    },
    'DELETE /loans/:id': ({ params, body }) => {
      const index = stock.loans.findIndex(({ id }) => id === params.id);
      if (index < 0) throw new Refusal(404, 'No such loan');
      stock.loans.splice(index, 1);
      return { value: { returned: params.id, condition: body?.condition ?? 'good' } };
    },
    'GET /reservations': ({ query }) => ({
      value: stock.reservations.filter(({ memberId }) => memberId === query.get('member')),
    }),
    'POST /reservations': ({ body }) => {
      const reservation = { ...body, id: stock.reservations.length + 1 };
      stock.reservations.push(reservation);
      return { status: 201, value: reservation };
    },
    'DELETE /reservations/:id': ({ params }) => {
      stock.reservations = stock.reservations.filter(({ id }) => String(id) !== params.id);
      return {};
    },
    'POST /session': ({ headers }) => {
      const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
      const [name, password] = Buffer.from(encoded ?? '', 'base64')
        .toString()
        .split(':');
      if (password !== 'librarian') throw new Refusal(401, 'Wrong password');
      return { status: 201, value: { token: `token-of-${name}` } };
    },
    'GET /session': (context) => ({ value: { user: memberOf(context).replace('token-of-', '') } }),
    'DELETE /session': (context) => {
      memberOf(context);
      return {};
    },
    'GET /settings': () => ({ value: stock.settings }),
    'PUT /settings': ({ body }) => ({ value: Object.assign(stock.settings, body) }),
    'GET /reports/:year/loans.csv': ({ params }) => ({
      raw: `year,loans\n${params.year},${stock.loans.length}\n`,
      type: 'text/csv',
    }),
    'POST /notes': ({ body }) => ({ status: 201, value: body }),
    'GET /audit': () => ({ value: stock.audit }),
    'POST /audit': ({ body, headers }) => {
      stock.audit.push({ path: body.path, at: headers['x-audited-at'] ? 'stamped' : 'unknown' });
      return { status: 201, value: stock.audit.length };
    },
    'GET /wait': () => ({ value: 'patient' }),
  };
}

/** The responses of the recording server: they depend on the request alone, so that equal requests get equal responses. */
import { readPath, type Recorded } from './recording.js';

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
}

const json = (status: number, value: unknown): Reply => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

// A segment of the path that is one of these words chooses the response.
const BY_WORD: Readonly<Record<string, Reply>> = {
  missing: json(404, { error: 'There is no such thing' }),
  refused: json(422, { error: 'Not like this' }),
  broken: json(500, { error: 'The server failed' }),
  nothing: { status: 204, type: '', body: '' },
  blank: { status: 200, type: 'application/json', body: '' },
  words: { status: 200, type: 'text/plain; charset=utf-8', body: 'plain wörds' },
  page: { status: 200, type: 'text/html', body: '<!doctype html><p>Hello</p>' },
  sheet: { status: 200, type: 'text/csv', body: 'id,name\n1,Ada\n' },
  picture: { status: 200, type: 'image/png', body: Buffer.from([0x89, 0x50, 0, 0xff, 0x0a]) },
};

/** The response to a request, or undefined when it is to get none. */
export function replyTo(request: Recorded): Reply | undefined {
  const path = readPath(request.url.split('?')[0] ?? '');
  const words = path.split('/');
  if (words.includes('endless')) return undefined;
  for (const word of words) {
    const reply = Object.hasOwn(BY_WORD, word) ? BY_WORD[word] : undefined;
    if (reply) return reply;
  }
  const about = { method: request.method, path, name: 'Ada', ok: true, count: path.length };
  const items = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grace' },
  ];
  // `/users` is a list, `/users/1` is not.
  if (words.includes('list') || /[a-z]s$/.test(words.at(-1) ?? '')) return json(200, items);
  return json(request.method === 'POST' ? 201 : 200, { ...about, items });
}

/** A request as the server received it, and the comparison of two requests. */

/** A request as it came in. */
export interface Recorded {
  readonly method: string;
  /** From the first slash on, as it was sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// Headers that a client adds to each request. Headers that a program can mean are noise only where they hold
// exactly what the client fills in.
const NOISE: Readonly<Record<string, RegExp>> = {
  // The address of the server, which is compared through the fact that the request came here.
  host: /^/,
  // Reuse of the connection.
  connection: /^/,
  'keep-alive': /^/,
  // Framing of the body; its bytes are compared.
  'content-length': /^/,
  'transfer-encoding': /^/,
  // Compression that the client supports.
  'accept-encoding': /^/,
  // The `Accept` that axios adds is a documented difference; `fetch` sends `*/*`.
  accept: /^(application\/json, text\/plain, \*\/\*|\*\/\*)$/,
  // The name of the client.
  'user-agent': /^(axios\/.*|node|undici)$/,
  // Added by `fetch` in Node, unless they are set.
  'accept-language': /^\*$/,
  'sec-fetch-mode': /^cors$/,
  // Added by `fetch` in Node to requests whose `cache` is set, as the fetch adapter of axios sets it.
  'cache-control': /^(no-cache|max-age=0)$/,
  pragma: /^no-cache$/,
};

// The type of a body that is not there says nothing. In Node axios sends one with every POST, PUT and PATCH; in browsers never.
const isNoise = (name: string, value: string, body: Buffer): boolean =>
  (name === 'content-type' && body.length === 0) || (NOISE[name]?.test(value) ?? false);

const BOUNDARY = /boundary="?([^";]+)"?/i;
// The boundary of a form whose content-type was overwritten, and does not name it.
const FORM = /^--(-+formdata-[\w-]+|[\w-]*-boundary-[\w-]+)\r\n/;

// As a server reads it: `/a%2Fb` and `/a/b` differ, `/%41` and `/A` do not. All other text stays.
function readSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** A path as a server reads it. */
export const readPath = (path: string): string => path.split('/').map(readSegment).join('/');

/** The query as a server reads it, sorted by key: that keys are sorted is a documented difference. */
function readQuery(query: string): readonly string[] {
  const pairs = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }));
  pairs.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return pairs.map(({ key, value }) => `${key} = ${value}`);
}

function readType(value: string): string {
  return value.replace(BOUNDARY, 'boundary=…').toLowerCase().replace(/;\s*/g, '; ');
}

/** A request as text: equal text means that no server can distinguish the requests. */
export function canonical({ method, url, headers, body }: Recorded): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end + 1);
  const type = headers['content-type'] ?? '';
  const text = body.toString('latin1');
  const boundary = (BOUNDARY.exec(type) ?? FORM.exec(text))?.[1];
  const lines = [
    `${method} ${readPath(path)}`,
    ...readQuery(query).map((pair) => `  ? ${pair}`),
    ...Object.entries(headers)
      .filter(([name, value]) => !isNoise(name, value, body))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `  ${name}: ${name === 'content-type' ? readType(value) : value}`),
  ];
  if (text)
    lines.push(`  body ${JSON.stringify(boundary ? text.replaceAll(boundary, '…') : text)}`);
  return lines.join('\n');
}

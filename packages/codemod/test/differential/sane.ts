/** Makes sense of a random program: parts that cannot be written, or could not distinguish right from wrong, become similar ones. */
import type {
  Call,
  Config,
  Expression,
  InputName,
  Inputs,
  Language,
  Member,
  Program,
  ResultShape,
  Segment,
  Url,
} from './program.js';

const BODY_METHODS = new Set(['post', 'put', 'patch']);
const EMPTY_RESPONSES = new Set(['nothing', 'blank']);
const ENDLESS = new Set(['endless']);
const TEXT_RESPONSES = new Set(['words', 'page', 'sheet']);

// Results that read a member of the data. On an empty response they would distinguish the documented `''` and `null`.
const DEEP: ReadonlySet<ResultShape> = new Set([
  'await member of data',
  'destructured deeply',
  'then twice',
  'destructured with a default',
]);

const AS_EXPRESSION: ReadonlySet<ResultShape> = new Set([
  'await data',
  'await member of data',
  'then arrow',
  'then destructured',
  'then function',
  'then and catch',
  'then and catch status',
  'then with two handlers',
  'then and finally',
  'then twice',
  'then status',
  'response returned',
]);

const isText = (part: string | Expression): part is string => typeof part === 'string';

const isWord = ([first]: Segment, words: ReadonlySet<string>): boolean =>
  first !== undefined && isText(first) && words.has(first);

const names = ({ segments }: Url, words: ReadonlySet<string>): boolean =>
  segments.some((segment) => isWord(segment, words));

/** Returns true if the response to a call has no body. */
export function isEmptyResponse({ method, url }: Call): boolean {
  return method === 'head' || names(url, EMPTY_RESPONSES);
}

/** The parameters that the function around a call takes, in the order of their first use. */
export function inputsOf({ url, config, body }: Call): readonly InputName[] {
  const found = new Set<InputName>();
  const add = (item: string | Expression | undefined): void => {
    if (item !== undefined && !isText(item)) for (const name of item.reads) found.add(name);
  };
  url.segments.flat().forEach(add);
  url.query.forEach((pair) => add(pair.value));
  add(body);
  const { params, headers, data, auth, signal } = config;
  if (params && 'text' in params) add(params);
  else params?.forEach((member: Member) => add(member.value));
  headers?.forEach((member) => add(member.value));
  add(data);
  if (auth === 'local') found.add('user').add('token');
  if (signal) found.add('signal');
  return [...found];
}

/** Makes an expression into one that can stand in a function. Undefined: it cannot. */
type Adapt = (item: Expression) => Expression | undefined;

function adapting({ placement }: Call, language: Language): Adapt {
  const outside = placement.startsWith('module');
  const single = placement === 'arrow with an expression';
  return (item) => {
    if (outside && item.reads.length) return undefined;
    if (item.typeScript && !language.startsWith('ts'))
      return { ...item, text: item.reads.join('') };
    return single && (item.kind === 'await' || item.setup) ? undefined : item;
  };
}

function adaptMembers(
  list: readonly Member[] | undefined,
  adapt: Adapt,
): readonly Member[] | undefined {
  return list?.flatMap(({ key, value }) => {
    const adapted = adapt(value);
    return adapted ? [{ key, value: adapted }] : [];
  });
}

function saneConfig({ config, method, form, body, placement }: Call, adapt: Adapt): Config {
  const outside = placement.startsWith('module');
  const { params, headers, data, auth, signal } = config;
  // A form under another content-type makes no sense.
  const native = /^(FormData|Blob)$/.test((body ?? data)?.kind ?? '');
  // One body is enough; and in its own place, where the method has one.
  const second = BODY_METHODS.has(method) && (form === 'method' || body !== undefined);
  return {
    ...config,
    params: params && ('text' in params ? adapt(params) : adaptMembers(params, adapt)),
    headers: adaptMembers(headers, adapt)?.filter(
      ({ value }) => !(native && value.kind === 'content-type'),
    ),
    signal: outside ? undefined : signal,
    auth: outside && auth ? 'literal' : auth,
    data: second || !data ? undefined : adapt(data),
  };
}

function saneUrl(call: Call, responseType: Config['responseType'], adapt: Adapt): Url {
  const { url, callee, placement } = call;
  const part = (item: string | Expression): string | Expression =>
    isText(item) ? item : (adapt(item) ?? 'fixed');
  let segments: readonly Segment[] = url.segments.map((segment) => segment.map(part));
  const replace = (words: ReadonlySet<string>): void => {
    segments = segments.map((segment) => (isWord(segment, words) ? ['list'] : segment));
  };
  // Documented difference: reading a body as another type than its content-type.
  if (responseType === 'json') replace(TEXT_RESPONSES);
  if (responseType !== 'blob' && responseType !== 'arraybuffer') replace(new Set(['picture']));
  // An error without a response is an AxiosError there and the platform's own here.
  if (placement.startsWith('try')) replace(ENDLESS);
  return {
    ...url,
    start: callee === 'instance' && url.start !== 'absolute' ? 'relative' : url.start,
    segments,
    query: url.query.map((pair) => ({ ...pair, value: part(pair.value) })),
  };
}

/** The place of something that may be bound to a constant. */
function standing<T>(
  call: Call,
  wanted: T,
  [inline, local, module]: readonly [T, T, T],
  reads: boolean,
): T {
  const single =
    call.placement === 'arrow with an expression' || call.placement.startsWith('module');
  if (wanted === module && !reads) return module;
  // No statement can stand before an expression, or inside of what is none of the module's functions.
  return wanted === inline || single ? inline : local;
}

// Such a value may be a whole address, which is taken as it is: a part of one would be no URL at all.
function beginsWithValue({ start, leadingSlash, segments }: Url): boolean {
  const first = segments[0]?.[0];
  return start === 'relative' && !leadingSlash && first !== undefined && !isText(first);
}

const withPlainText = (inputs: Inputs): Inputs => ({
  ...inputs,
  id: 'a1',
  slug: 'plain',
  user: { id: 1, _id: 'u1', name: 'ada' },
  item: { ...inputs.item, id: 'i1' },
  tags: ['x'],
});

function saneCall(call: Call, language: Language): Call {
  const { placement, method } = call;
  const adapt = adapting(call, language);
  let config = saneConfig(call, adapt);
  const url = saneUrl(call, config.responseType, adapt);
  if (names(url, ENDLESS)) config = { ...config, timeout: '40' };

  const hasPathValues = url.segments.flat().some((item) => !isText(item));
  // A request that is refused and aborted may fail in either way.
  const calm = hasPathValues || placement.startsWith('try');
  const next: Call = {
    ...call,
    url,
    config,
    body: call.body && BODY_METHODS.has(method) ? adapt(call.body) : undefined,
    inputs: {
      ...(beginsWithValue(url) ? withPlainText(call.inputs) : call.inputs),
      signal: calm ? undefined : call.inputs.signal,
    },
    typed: call.typed && language.startsWith('ts') && call.form === 'method',
  };
  let { result } = call;
  if (placement === 'arrow with an expression' && !AS_EXPRESSION.has(result)) result = 'then arrow';
  if (placement.startsWith('module')) result = 'then arrow';
  // A Blob has no members, and its type says so.
  const opaque = isEmptyResponse(next) || (config.responseType ?? 'json') !== 'json';
  if (opaque && DEEP.has(result)) result = 'await data';
  // An empty Blob is truthy, and nothing is not.
  if (isEmptyResponse(next) && result === 'variable, only data read') result = 'await data';

  const wanted = ['in the call', 'in a local constant', 'in a constant of the module'] as const;
  const alone: Call = { ...next, config: { bound: 'inline' }, body: undefined };
  const stands = standing<Url['stands']>(call, url.stands, wanted, inputsOf(alone).length > 0);
  // The inputs that the object of the config reads: the URL and the body too, where they are its members.
  const elsewhere =
    call.form === 'method' || call.form === 'urlConfig' || stands.endsWith('module');
  const object: Call = {
    ...next,
    url: elsewhere ? { ...url, segments: [], query: [] } : url,
    body: call.form === 'method' ? undefined : next.body,
  };
  const reads = inputsOf(object).length > 0 || (!elsewhere && stands === 'in a local constant');
  const bound = standing<Config['bound']>(call, config.bound, ['inline', 'local', 'module'], reads);
  return {
    ...next,
    result,
    url: { ...url, stands },
    config: { ...config, bound },
  };
}

/** A program that can be written down and run. */
export function sane(program: Program): Program {
  const taken = new Set<string>();
  const calls = program.calls.map((call) => {
    let { name } = call;
    for (let count = 2; taken.has(name); count += 1) name = `${call.name}${count}`;
    taken.add(name);
    return saneCall({ ...call, name }, program.language);
  });
  // The adapter for Node gives no blobs, and that for `fetch` puts a wrong content-type on forms and blobs.
  const native = calls.some(({ body, config }) =>
    /^(FormData|Blob)$/.test((body ?? config.data)?.kind ?? ''),
  );
  if (native) return { ...program, calls: calls.map(withoutBlob), adapter: 'http' };
  // The adapter for `fetch` takes credentials of Latin-1 only.
  const local = calls.some(({ config }) => config.auth === 'local');
  if (local) return { ...program, calls: calls.map(withoutBlob), adapter: 'http' };
  const blobs = calls.some(({ config }) => config.responseType === 'blob');
  return { ...program, calls, adapter: blobs ? 'fetch' : program.adapter };
}

function withoutBlob(call: Call): Call {
  const { responseType } = call.config;
  if (responseType !== 'blob') return call;
  return { ...call, config: { ...call.config, responseType: 'arraybuffer' } };
}

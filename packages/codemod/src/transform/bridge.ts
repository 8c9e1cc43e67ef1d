import type { Binding, NodePath } from '@babel/traverse';
import type { CallExpression, Expression, Node } from '@babel/types';
import { readBody } from './body.js';
import type { Use } from './clients.js';
import { argumentOf, checkConstantUrl, type Draft, type OwnClass } from './draft.js';
import { isEncoded } from './encoded.js';
import { escaped, freeName, pathOf } from './pathOf.js';
import { argumentFor, isTextual } from './pathValue.js';
import { type BaseOptions, type Draw, type Entry, pieceOf } from './draw.js';
import type { Piece } from './edits.js';
import { type Module, textOf } from './module.js';
import { Refusal, refuse } from './reasons.js';
import { isNothing, keyName, type Request } from './request.js';
import { quoted } from './style.js';
import { type ResultTyping, typedAs } from './types.js';
import { decoded, nameOfValue, readUrl, type Url } from './url.js';
import { knownType, stableNames, typeName } from './values.js';
import type { Resolves } from './resolves.js';

/** An endpoint that extends `axiosEndpoint()` passes this option to `instance.request()`. */
const CONFIG = 'axiosConfig';

/**
 * A request for the bridge (`restitch/axios`). `whole` is its config, if the config is passed on
 * unchanged.
 */
export interface Loose {
  readonly request: Request;
  readonly whole: NodePath<Expression> | undefined;
}

/** Reads a request. A config that `strict` refuses is passed on to axios unchanged. */
export function readLoose(use: Use, strict: () => Request): Loose {
  try {
    return { request: strict(), whole: undefined };
  } catch (error) {
    if (!(error instanceof Refusal) || use.method === undefined) throw error;
  }
  const call = use.path as NodePath<CallExpression>;
  const args = call
    .get('arguments')
    .map((one) => (one.isExpression() ? one : refuse('config-unknown', 'spread arguments')));
  const takesBody = /^(post|put|patch)$/.test(use.method);
  const [url, ...rest] = args;
  const body = takesBody ? rest.shift() : undefined;
  const [config, ...extra] = rest;
  if (extra.length > 0) refuse('config-unknown', 'more arguments than axios takes');
  const types = call.node.typeParameters ?? call.node.typeArguments;
  const params = types && 'params' in types ? types.params : [];
  return {
    request: {
      use,
      call,
      method: use.method.toUpperCase(),
      url,
      body,
      options: new Map(),
      via: undefined,
      type: params[0],
      result: params[1],
    },
    whole: config,
  };
}

/**
 * Returns the draft of a request over the bridge. The URL becomes a typed path if possible. The
 * config is passed to axios, but `params` written at the call become arguments if possible.
 */
export function bridgeDraftOf(
  { request, whole }: Loose,
  base: BaseOptions,
  resolves: Resolves,
  ownClass: OwnClass | undefined,
): Draft {
  const { module, client } = request.use;
  const draw: Draw = { module, request, base, options: [], names: [], extend: [] };
  const inlined: Binding[] = [];
  const { method } = request;
  if (!/^(GET|DELETE|HEAD|OPTIONS|POST|PUT|PATCH)$/.test(method))
    refuse('config-unknown', 'the method');
  const byPath = attempt(() => readPath(draw, inlined, whole !== undefined));
  const { template, entries, params, type: search } = byPath ?? readUrlArgument(draw);
  if (method !== 'GET') draw.options.push(`method: ${quoted(method, module.style)}`);
  if (module.typescript && search) draw.options.push(`searchParams: {} as ${search}`);
  const body = readBody(draw, true);
  if (!byPath) {
    // The call gets its types from the parameters of `url`.
    const second = body.pieces ? ', _body: unknown' : '';
    const text = module.typescript ? `({ url }: { url: string }${second}) => url` : URL_ARGUMENT;
    draw.options.unshift(`url: ${text}`);
  }
  handOver(draw, whole, params);
  if (resolves === 'unknown') draw.options.push('wholeResponse: true');
  const { process, cast } = resultType(request, resolves);
  if (process) draw.options.push(process);
  const first = argumentOf(entries);
  return {
    base: client.kind === 'instance' ? client : undefined,
    ownClass,
    options: draw.options,
    names: draw.names,
    extend: draw.extend,
    inlined: byPath ? inlined : [],
    cast,
    isWhole: resolves === 'unknown',
    args: [...(first ? [first] : []), ...(body.pieces ? [body.pieces] : [])],
    method,
    path: template,
  };
}

// Returns the type of the result. `get<T, R>()` resolves to `R`, which is a response of `T` by
// default.
function resultType(
  { use: { module }, call, type, result }: Request,
  resolves: Resolves,
): ResultTyping {
  const written = resolves === 'response' ? (result ? dataOf(result) : type) : result;
  if (written) return typedAs(call, written, textOf(module, written));
  return resolves === 'unknown' && module.typescript && type
    ? typedAs(
        call,
        type,
        `import(${quoted('axios', module.style)}).AxiosResponse<${textOf(module, type)}>`,
      )
    : {};
}

// Returns `T` of `AxiosResponse<T>`.
function dataOf(type: Node): Node | undefined {
  return typeName(type) === 'AxiosResponse' && type.type === 'TSTypeReference'
    ? type.typeParameters?.params[0]
    : undefined;
}

const URL_ARGUMENT = '({ url }) => url';

interface Target {
  readonly template: string;
  readonly entries: Entry[];
  /** The parameters that the config must contain. */
  readonly params: readonly Piece[] | undefined;
  readonly type?: string | undefined;
}

// Returns undefined if the action refuses. The URL then becomes an argument.
function attempt(action: () => Target): Target | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function readPath(draw: Draw, inlined: Binding[], isWhole: boolean): Target {
  const { module, request } = draw;
  if (!request.url) return refuse('url-unknown', 'there is none');
  const isOwn = typeof pieceOf({ module, request }, request.url) !== 'string';
  const url = readUrl(request.url, true, isOwn ? inlined : []);
  if (url.absolute || url.prefix.length > 0) return refuse('url-unknown');
  if (!isOwn && request.via !== undefined) checkConstantUrl(url);
  // Axios sends `?a=1/` in a URL unchanged, but the bridge would send `?a=1%2F`.
  if (
    !url.query.every(
      ({ key, value }) => isPlain(key) && (typeof value !== 'string' || isPlain(value)),
    )
  )
    return refuse('query-unknown', 'axios would write it otherwise');
  // The config may hold the same parameters, which axios sends in addition to those of the URL.
  if (url.query.length > 0 && (isWhole || request.via !== undefined)) return refuse('query-clash');
  const own = request.via === undefined ? readLooseParams(draw) : { entries: [], open: false };
  const keys = [...own.entries.flatMap(({ key }) => key ?? []), ...url.query.map(({ key }) => key)];
  if (new Set(keys).size < keys.length) return refuse('query-clash');
  const path = pathOf(draw, url, new Set(keys), false);
  const query = queryOf(
    draw,
    url,
    new Set([...own.entries, ...path.entries].map(({ key }) => key)),
  );
  // In `{ id, ...filters }`, `filters` could replace the `id` of the path.
  const apart = own.open && path.entries.length + query.entries.length > 0;
  // Interceptors receive the URL as it was written, with its query and without an added slash.
  const template = path.template + query.template;
  draw.options.push(`path: ${quoted(template, module.style)}`);
  const shown = apart ? [] : own.entries;
  const types = shown.map(({ key }) =>
    key === undefined
      ? 'Record<string, any>'
      : `{ ${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}?: unknown }`,
  );
  return {
    template: path.template,
    entries: [...path.entries, ...query.entries, ...shown],
    params: apart ? paramsPiece(draw) : undefined,
    type: [...new Set(types)].join(' & ') || undefined,
  };
}

// Returns the template of the query. A value becomes an optional part, such as `{?q=:q}`, because
// only an optional part accepts an empty text.
function queryOf(
  draw: Draw,
  { query }: Url,
  taken: Set<string | undefined>,
): { template: string; entries: Entry[] } {
  let template = '';
  const entries: Entry[] = [];
  for (const { key, value } of query) {
    const mark = template === '' ? '?' : '&';
    if (typeof value === 'string') {
      template += mark + escaped(`${key}=${value}`);
      continue;
    }
    const plain = decoded(value);
    if (isEncoded(draw.module, plain)) refuse('query-unknown', 'a value is encoded already');
    const name = freeName(/^[A-Za-z_$][\w$]*$/.test(key) ? key : nameOfValue(plain), taken);
    template += `{${mark}${escaped(key)}=:${name}}`;
    entries.push(argumentFor(draw, name, plain, isTextual(plain)));
  }
  return { template, entries };
}

const isPlain = (text: string): boolean => /^[\w.*:$,-]*$/.test(text);

function readUrlArgument(draw: Draw): Target {
  const { url, via } = draw.request;
  if (!url) return refuse('url-unknown', 'there is none');
  const piece = pieceOf(draw, url);
  const urlText = via !== undefined && typeof piece === 'string' ? `${via}.url` : piece;
  const isShort = url.isIdentifier({ name: 'url' }) && typeof piece !== 'string';
  return {
    template: '/:url',
    entries: [{ key: 'url', pieces: isShort ? [piece] : ['url: ', urlText] }],
    params: via === undefined ? paramsPiece(draw) : undefined,
  };
}

function paramsPiece(draw: Draw): readonly Piece[] | undefined {
  const params = draw.request.options.get('params');
  return params && !isNothing(params.value.node) ? [pieceOf(draw, params.value)] : undefined;
}

// Reads parameters with any values, because axios encodes them.
function readLooseParams(draw: Draw): { entries: Entry[]; open: boolean } {
  const option = draw.request.options.get('params');
  const value = option?.value;
  if (!value || isNothing(value.node) || value.isNullLiteral()) return { entries: [], open: false };
  const spread = (path: NodePath): Entry => ({
    key: undefined,
    pieces: ['...', ...wrapped(path, pieceOf(draw, path))],
  });
  if (!value.isObjectExpression()) {
    const isObject =
      knownType(value) === 'object' || !draw.module.neighbors.some(/URLSearchParams/);
    if (!isObject) refuse('query-unknown', 'it may be a `URLSearchParams`');
    return { entries: [spread(value)], open: true };
  }
  const properties = value.get('properties');
  const entries = properties.map((property): Entry => {
    if (property.isSpreadElement()) return spread(property.get('argument'));
    const key = property.isObjectProperty() ? keyName(property.node) : undefined;
    if (key === undefined) refuse('query-unknown', 'a computed key');
    return { key, pieces: [pieceOf(draw, property)] };
  });
  return { entries, open: entries.some(({ key }) => key === undefined) };
}

// Adds the parentheses in `...(a || b)`.
const wrapped = (path: NodePath, piece: Piece): Piece[] =>
  path.isIdentifier() || path.isMemberExpression() || path.isCallExpression()
    ? [piece]
    : ['(', piece, ')'];

// Passes on the rest of the config. A config that is the same for each call becomes an option of
// the endpoint. Any other config is passed at the call.
function handOver(
  draw: Draw,
  whole: NodePath<Expression> | undefined,
  params: readonly Piece[] | undefined,
): void {
  const { module, request } = draw;
  if (request.via !== undefined) {
    draw.extend.push([`${CONFIG}: ${request.via}`]);
    return;
  }
  if (whole) {
    if (!isNothing(whole.node)) draw.extend.push([`${CONFIG}: `, pieceOf(draw, whole)]);
    return;
  }
  const options = [...request.options].filter(([name]) => name !== 'params');
  if (options.length === 0 && !params) return;
  const names = options.map(([, { value }]) => stableValue(value));
  const stable = !params && names.every((found) => found !== undefined);
  const properties = options.map(([, { value }]) => value.parentPath ?? value);
  if (stable) {
    const texts = properties.map((property) => textOf(module, property.node));
    draw.options.push(`${CONFIG}: { ${texts.join(', ')} }`);
    draw.names.push(...names.flatMap((found) => found ?? []));
    return;
  }
  const members = [
    ...properties.map((property): Piece[] => [pieceOf(draw, property)]),
    ...(params ? [['params: ', ...params] as Piece[]] : []),
  ];
  draw.extend.push([
    `${CONFIG}: { `,
    ...members.flatMap((member, index) => (index > 0 ? [', ', ...member] : member)),
    ' }',
  ]);
}

function stableValue(value: NodePath): Binding[] | undefined {
  if (!value.isObjectExpression()) return stableNames(value);
  const names: Binding[] = [];
  for (const property of value.get('properties')) {
    if (!property.isObjectProperty() || property.node.computed) return undefined;
    const found = stableValue(property.get('value') as NodePath);
    if (!found) return undefined;
    names.push(...found);
  }
  return names;
}

/** Returns text such as `class ApiEndpoint extends axiosEndpoint(api) {}`. */
export function bridgeClass(module: Module, name: string, client: string): string {
  const { axiosEndpoint, RestGenerics } = module.local;
  return module.typescript
    ? `class ${name}<O extends ${RestGenerics} = any> extends ${axiosEndpoint}(${client})<O> {}`
    : `class ${name} extends ${axiosEndpoint}(${client}) {}`;
}

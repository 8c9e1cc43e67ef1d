import type { Binding, NodePath } from '@babel/traverse';
import type { Expression } from '@babel/types';
import { type BaseOptions, type Draw, type Entry, pieceOf } from './draw.js';
import { readBody } from './body.js';
import type { Instance } from './clients.js';
import type { Piece } from './edits.js';
import { readHeaders } from './headers.js';
import { readParams } from './params.js';
import { pathOf } from './pathOf.js';
import { refuse } from './reasons.js';
import type { Request } from './request.js';
import { quoted } from './style.js';
import { timeoutText } from './timeout.js';
import { resultTyping } from './types.js';
import { unchanged, prefixText, readUrl, type Url } from './url.js';
import { constantInit, stableNames } from './values.js';

/** A class that extends `axiosEndpoint(axios)`, for the requests of one module. */
export interface OwnClass {
  readonly name: string;
  /** The text of the class; empty for a class that already exists. */
  readonly text: string;
  /** The end of a class that already exists. */
  readonly end?: number;
}

/** A converted request, with the definition of the endpoint and the arguments of its call. */
export interface Draft {
  readonly base: Instance | undefined;
  /** Set if the request goes over the bridge and its client is `axios` itself. */
  readonly ownClass?: OwnClass | undefined;
  /** The members of the definition as source text, `path` first. */
  readonly options: readonly string[];
  /** The constants of the module that the definition names. */
  readonly names: readonly Binding[];
  /** The members that the call adds with `.extend()`, because they name local variables. */
  readonly extend: readonly (readonly Piece[])[];
  readonly args: readonly (readonly Piece[])[];
  /** The local constants whose text became part of the URL. */
  readonly inlined: readonly Binding[];
  /** The type of the result, if only the call can name it. */
  readonly cast?: string | undefined;
  /** True if the endpoint returns the whole response, like the original call. */
  readonly isWhole?: boolean;
  /**
   * True if the endpoint is created at the call, because a definition at module level could run too
   * early.
   */
  readonly isLate?: boolean;
  /** The endpoint's name is made from the method and the path. */
  readonly method: string;
  readonly path: string;
}

const CONTENT: Readonly<Record<string, string>> = {
  blob: 'blob',
  arraybuffer: 'arrayBuffer',
  text: 'text',
  json: 'json',
};

export function draftOf(
  request: Request,
  base: BaseOptions | undefined,
  { resultUsed, isDefinition }: { resultUsed: boolean; isDefinition: boolean },
): Draft {
  const { module, client } = request.use;
  const { style } = module;
  const draw: Draw = { module, request, base, options: [], names: [], extend: [] };
  const literal = (text: string): string => quoted(text, style);
  const { options } = request;
  const own = options.get('baseURL');
  if (own && !own.value.isStringLiteral()) refuse('config-unknown', '`baseURL`');
  const baseUrl = own?.value.isStringLiteral() ? own.value.node.value : undefined;
  const inlined: Binding[] = [];
  // Constants in the URL are inlined and removed, unless a config constant still contains the URL.
  const isOwn =
    request.url !== undefined && typeof pieceOf({ module, request }, request.url) !== 'string';
  const url = request.url
    ? readUrl(request.url, baseUrl !== undefined || base?.hasUrl === true, isOwn ? inlined : [])
    : refuse('url-unknown', 'there is none');

  if (!isOwn && request.via !== undefined) checkConstantUrl(url);
  const params = readParams(draw, options.get('params'), url.query);
  const path = pathOf(
    draw,
    url,
    new Set(params.entries.flatMap(({ key }) => key ?? [])),
    params.open,
  );
  const template =
    baseUrl !== undefined || base?.hasUrl ? joined(path.template, url) : path.template;
  writePrefix(draw, url, baseUrl, literal);
  draw.options.push(`path: ${literal(template)}`);
  const { method } = request;
  if (!/^(GET|DELETE|HEAD|OPTIONS|POST|PUT|PATCH)$/.test(method))
    refuse('config-unknown', 'the method');
  if (method !== 'GET') draw.options.push(`method: ${literal(method)}`);
  if (module.typescript && params.type && !isDefinition)
    draw.options.push(`searchParams: {} as ${params.type}`);

  const body = readBody(draw);
  readHeaders(draw, body.kind);
  readSettings(draw, literal);
  if (mayNeedXsrf(draw, url, baseUrl)) refuse('xsrf-cookie');
  const isTyped = draw.options.some((option) => /^content: .(blob|arrayBuffer|text)/.test(option));
  const typing = resultUsed && !isTyped ? resultTyping(request) : {};
  if (typing.process) draw.options.push(typing.process);

  if (isDefinition) {
    const defaults = params.entries.map(({ pieces }) => pieces.join(''));
    if (path.entries.length > 0 || body.pieces || draw.extend.length > 0 || !params.fixed)
      refuse('promise-kept', 'its arguments have no place in a definition');
    if (defaults.length > 0) draw.options.push(`searchParams: { ${defaults.join(', ')} }`);
    params.entries.length = 0;
  }
  const entries = [...path.entries, ...params.entries];
  const first = argumentOf(entries);
  const args = [...(first ? [first] : []), ...(body.pieces ? [body.pieces] : [])];
  return {
    base: client.kind === 'instance' ? client : undefined,
    options: draw.options,
    names: draw.names,
    extend: draw.extend,
    inlined,
    args,
    cast: typing.cast,
    method,
    path: template,
  };
}

// Returns true if the request may need the XSRF cookie. Axios copies it into a header of requests
// to the page's own origin.
function mayNeedXsrf({ module, base }: Draw, url: Url, baseUrl: string | undefined): boolean {
  if (url.absolute || !module.neighbors.some(/xsrf|csrf|sanctum/i)) return false;
  const [first] = url.prefix;
  const constant = typeof first === 'object' ? constantInit(first) : undefined;
  const own = constant?.isStringLiteral() ? constant.node.value : '';
  return !isForeign(first === undefined ? (baseUrl ?? base?.baseUrl ?? '') : own);
}

const isForeign = (baseUrl: string): boolean => /^(https?:)?\/\//i.test(baseUrl);

/** Returns the first argument of a call, which contains path values and search parameters. */
export function argumentOf(entries: readonly Entry[]): Piece[] | undefined {
  const [only] = entries;
  if (!only) return undefined;
  // `{ ...filters }` becomes `filters`.
  if (entries.length === 1 && only.key === undefined && only.pieces[0] === '...')
    return only.pieces.slice(1);
  const pieces: Piece[] = ['{ '];
  for (const [index, entry] of entries.entries())
    pieces.push(...(index > 0 ? [', '] : []), ...entry.pieces);
  return [...pieces, ' }'];
}

// Refuses a URL in a config constant if a value in the URL may change before the call.
export function checkConstantUrl({ prefix, path, query }: Url): void {
  const values = [...prefix, ...path, ...query.map(({ value }) => value)];
  for (const value of values) {
    if (typeof value !== 'string' && !unchanged(value) && !stableNames(value))
      refuse('url-unknown', 'it is made before the call');
  }
}

// Returns the template with one slash at its start, as in axios.
export const joined = (template: string, url: Url): string =>
  url.absolute || (template === '' && url.query.length === 0)
    ? template
    : `/${template.replace(/^\/+/, '')}`;

function writePrefix(
  draw: Draw,
  url: Url,
  baseUrl: string | undefined,
  literal: (text: string) => string,
): void {
  if (url.prefix.length > 0) {
    const text = prefixText(url.prefix, draw.module, literal);
    if (url.prefixNames) {
      draw.options.push(`urlPrefix: ${text}`);
      draw.names.push(...url.prefixNames);
    } else draw.extend.push([`urlPrefix: ${text}`]);
  } else if (baseUrl !== undefined) {
    draw.options.push(`urlPrefix: ${literal(baseUrl.replace(/\/?\/$/, ''))}`);
  }
}

function readSettings(draw: Draw, literal: (text: string) => string): void {
  const { options } = draw.request;
  for (const [name, { value, via }] of options) {
    switch (name) {
      case 'baseURL':
      case 'params':
      case 'headers':
      case 'auth':
        break;
      case 'timeout':
        readTimeout(draw, value, via);
        break;
      case 'withCredentials': {
        if (!value.isBooleanLiteral())
          refuse('config-option', '`withCredentials` that is no literal');
        if (value.node.value)
          draw.options.push(`requestInit: { credentials: ${literal('include')} }`);
        else if (draw.base?.hasCredentials) draw.options.push('requestInit: {}');
        break;
      }
      case 'responseType': {
        const content = value.isStringLiteral() && CONTENT[value.node.value];
        if (!content) refuse('config-option', '`responseType`');
        draw.options.push(`content: ${literal(content)}`);
        break;
      }
      case 'signal':
        draw.extend.push(['signal: ', via ? `${via}.signal` : pieceOf(draw, value)]);
        break;
      default:
        refuse('config-option', `\`${name}\``);
    }
  }
}

function readTimeout(draw: Draw, value: NodePath<Expression>, via: string | undefined): void {
  const text = timeoutText(draw.module, value);
  // The option `timeout: 0` is needed only if the class sets a timeout.
  if (text === '0' && !draw.base?.hasTimeout) return;
  const names = stableNames(value);
  if (names) {
    draw.options.push(`timeout: ${text}`);
    draw.names.push(...names);
  } else draw.extend.push([`timeout: ${via ? `${via}.timeout` : text}`]);
}

import type { Binding, NodePath } from '@babel/traverse';
import type { Expression, ObjectExpression } from '@babel/types';
import type { BodyKind } from './body.js';
import { dotted } from './clients.js';
import { type Draw, pieceOf } from './draw.js';
import type { Piece } from './edits.js';
import { textOf } from './module.js';
import { refuse } from './reasons.js';
import { isNothing, keyName } from './request.js';
import { quoted } from './style.js';
import { knownType, stableNames } from './values.js';

const FORM = /\bnew\s+(FormData|URLSearchParams)\b|:\s*(FormData|URLSearchParams)\b|\.formData\(/;

interface Header {
  readonly name: string;
  readonly property: NodePath;
  readonly value: NodePath<Expression>;
}

/** Reads an object literal of headers. Refuses unknown keys and values. */
export function headerList(headers: NodePath<Expression>): Header[] {
  if (!headers.isObjectExpression()) return refuse('headers-unknown');
  const list: Header[] = [];
  for (const property of (headers as NodePath<ObjectExpression>).get('properties')) {
    if (!property.isObjectProperty()) refuse('headers-unknown');
    const name = keyName(property.node) ?? refuse('headers-unknown', 'a computed name');
    const value = property.get('value');
    if (!value.isExpression() || value.isObjectExpression()) refuse('headers-unknown');
    // Axios does not send these headers.
    if (
      value.isNullLiteral() ||
      isNothing(value.node) ||
      value.isBooleanLiteral({ value: false })
    ) {
      refuse('headers-unknown', 'a header that is not sent');
    }
    let waits = false;
    property.traverse({
      AwaitExpression: () => {
        waits = true;
      },
      YieldExpression: () => {
        waits = true;
      },
    });
    if (waits || value.isAwaitExpression())
      refuse('headers-unknown', 'a header that is waited for');
    if (list.some((header) => header.name.toLowerCase() === name.toLowerCase()))
      refuse('headers-unknown', 'a header is there twice');
    list.push({ name, property, value });
  }
  return list;
}

/**
 * Returns true if restitch already sets this content-type for this kind of body. Refuses
 * content-types with which axios would change the body.
 */
export function isImpliedContentType(value: NodePath<Expression>, body: BodyKind): boolean {
  if (!value.isStringLiteral()) return refuse('headers-unknown', '`Content-Type`');
  const type = value.node.value.toLowerCase();
  // Without a body, the header has no meaning. In the browser, axios removes it.
  if (body === 'none') return true;
  if (/^application\/json\b/.test(type)) {
    if (body === 'form' || body === 'search') refuse('body-not-json', 'a form as JSON');
    // Axios puts quotes around the text.
    if (body === 'text') refuse('body-not-json', 'a text as JSON');
    return body === 'json' && type === 'application/json';
  }
  if (/^multipart\/form-data$/.test(type)) {
    if (body === 'form') return true;
    refuse('body-not-json', 'axios makes a form of it');
  }
  if (type.startsWith('application/x-www-form-urlencoded')) {
    if (body === 'search') return false;
    if (!isTextBody(body)) refuse('body-not-json', 'axios makes a form of it');
    return false;
  }
  if (!isTextBody(body)) refuse('body-not-json', 'its content-type');
  return false;
}

/**
 * Adds the headers of a request to the endpoint. Headers that name local variables are added at the
 * call.
 */
export function readHeaders(draw: Draw, body: BodyKind): void {
  const option = draw.request.options.get('headers');
  const list = option ? headerList(option.value) : [];
  const isType = ({ name }: Header): boolean => name.toLowerCase() === 'content-type';
  const type = list.find(isType);
  const inherited = draw.base?.contentType;
  const json = type
    ? literalOf(type.value).startsWith('application/json')
    : inherited !== undefined;
  // With a JSON content-type, axios sends the text `null`.
  if (body === 'none' && draw.request.body?.isNullLiteral() && json)
    refuse('body-not-json', '`null`');
  // Without a content-type, axios sends a text as a form, and `fetch` sends the text as plain text.
  if (isTextBody(body) && !type && !inherited)
    refuse('body-not-json', 'a text without a content-type');
  if (inherited && !type && isBodyOfOther(body))
    refuse('body-not-json', 'the content-type of the instance');
  if (
    body === 'unknown' &&
    inherited === undefined &&
    type &&
    !literalOf(type.value).startsWith('application/json')
  )
    refuse('body-not-json', 'its content-type');
  // With a JSON content-type, axios converts a form to JSON.
  if (body === 'unknown' && json && draw.module.neighbors.some(FORM))
    refuse('body-not-json', 'it may be a form, of which axios would make JSON');
  const kept = list.filter(
    (header) => !isType(header) || !isImpliedContentType(header.value, body),
  );
  const auth = readAuth(draw);
  if (
    auth &&
    [...list.map(({ name }) => name), ...(draw.base?.headers ?? [])].some(isAuthorization)
  )
    refuse('config-option', '`auth` along with an `Authorization` header');
  if (kept.length === 0 && !auth) return;
  const names = [...kept.map(({ value }) => stableNames(value)), ...(auth ? [auth.names] : [])];
  const stable =
    names.every((found) => found !== undefined) && kept.every(({ value }) => isText(value));
  const start =
    draw.base && draw.base.headers.length > 0
      ? `...${draw.base.className}.prototype.getHeaders(headers)`
      : '...headers';
  const entries = kept.flatMap((header): Piece[] => {
    // A header replaces a header of the class only if both have the same spelling.
    const inClass = draw.base?.headers.find((name) => sameName(name, header.name));
    const value =
      stable || !option?.via ? pieceOf(draw, header.value) : memberOf(option.via, header);
    const entry = entryOf(draw, header, value, inClass);
    if (isText(header.value)) return [', ', ...entry];
    if (inClass !== undefined) refuse('headers-unknown', 'a header that may be missing');
    return [', ', ...guarded(entry, header.value, value)];
  });
  const all = [
    `getHeaders: (headers) => ({ ${start}`,
    ...entries,
    ...(auth ? [`, Authorization: ${auth.text}`] : []),
    ' })',
  ];
  if (stable) {
    draw.names.push(...names.flatMap((found) => found ?? []));
    const { source } = draw.module;
    const text = all.map((piece) => (typeof piece === 'string' ? piece : source.slice(...piece)));
    draw.options.push(text.join(''));
  } else draw.extend.push(all);
}

const isAuthorization = (name: string): boolean => sameName(name, 'authorization');

// Returns text such as `config.headers.Accept`, so that the value is computed only once.
const memberOf = (via: string, { name }: Header): string =>
  `${via}.headers${/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name).replaceAll('"', "'")}]`}`;

function entryOf(
  draw: Draw,
  { name, property, value }: Header,
  piece: Piece,
  inClass: string | undefined,
): Piece[] {
  const isNumber = knownType(value) === 'number';
  const isOwn = typeof piece !== 'string' || piece === textOf(draw.module, value.node);
  if (!isNumber && isOwn && (inClass === undefined || inClass === name))
    return [pieceOf(draw, property)];
  const key = inClass ?? name;
  const start = `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key, draw.module.style)}: `;
  return isNumber ? [`${start}\`\${`, piece, '}`'] : [start, piece];
}

/** Writes `auth` as the header that axios would send. */
function readAuth(draw: Draw): { text: string; names: Binding[] | undefined } | undefined {
  const auth = draw.request.options.get('auth');
  if (!auth) return undefined;
  const { value } = auth;
  if (!value.isObjectExpression() || auth.via) return refuse('config-option', '`auth`');
  const found: Record<string, NodePath<Expression>> = {};
  for (const property of value.get('properties')) {
    const inner = property.isObjectProperty() && property.get('value');
    if (!inner || !inner.isExpression()) return refuse('config-option', '`auth`');
    const name = property.isObjectProperty() ? keyName(property.node) : undefined;
    if (name !== 'username' && name !== 'password') return refuse('config-option', '`auth`');
    found[name] = inner;
  }
  const { username, password } = found;
  if (!username || !password) return refuse('config-option', '`auth`');
  const literal = [username, password].map((one) => (one.isStringLiteral() ? one.node.value : ''));
  if (literal.every((text) => /^[ -~]+$/.test(text)))
    return {
      text: `\`Basic \${btoa(${quoted(literal.join(':'), draw.module.style)})}\``,
      names: [],
    };
  const simple = (one: NodePath<Expression>): string =>
    dotted(one.node) || one.isStringLiteral()
      ? textOf(draw.module, one.node)
      : refuse('config-option', '`auth`');
  const part = (one: NodePath<Expression>): string =>
    knownType(one) === 'string'
      ? simple(one)
      : `${simple(one)} || ${quoted('', draw.module.style)}`;
  // `btoa` accepts only Latin-1, but axios sends UTF-8.
  const bytes = `new TextEncoder().encode(\`\${${part(username)}}:\${${part(password)}}\`)`;
  const names = [stableNames(username), stableNames(password)];
  return {
    text: `\`Basic \${btoa(String.fromCharCode(...${bytes}))}\``,
    names: names.every((one) => one !== undefined) ? names.flatMap((one) => one ?? []) : undefined,
  };
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const literalOf = (value: NodePath): string =>
  value.isStringLiteral() ? value.node.value.toLowerCase() : '';

const isBodyOfOther = (body: BodyKind): boolean =>
  body === 'form' || body === 'search' || isTextBody(body);

const isTextBody = (body: BodyKind): boolean => body === 'text' || body === 'json-text';

/** Returns true if a value is always sent. Axios leaves out undefined, null and false. */
function isText(value: NodePath): boolean {
  const kind = knownType(value);
  return kind === 'string' || kind === 'number';
}

// Returns a header that may be missing, as in `...(token != null && { 'X-Token': token })`.
function guarded(entry: readonly Piece[], value: NodePath<Expression>, piece: Piece): Piece[] {
  const simple =
    value.isIdentifier() ||
    (value.isMemberExpression() && dotted(value.node) !== '') ||
    (value.isCallExpression() &&
      /^(local|session)Storage\.getItem$/.test(dotted(value.node.callee)));
  if (!simple && typeof piece !== 'string')
    refuse('headers-unknown', 'a header that may be missing');
  return ['...(', piece, ' != null && { ', ...entry, ' })'];
}

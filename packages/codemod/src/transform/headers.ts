import type { NodePath } from '@babel/traverse';
import type { Expression, ObjectExpression } from '@babel/types';
import type { BodyKind } from './body.js';
import { dotted } from './clients.js';
import { type Draw, pieceOf } from './draw.js';
import type { Piece } from './edits.js';
import { refuse } from './reasons.js';
import { isNothing, keyName } from './request.js';
import { knownType, stableNames } from './values.js';

interface Header {
  readonly name: string;
  readonly property: NodePath;
  readonly value: NodePath<Expression>;
}

/** Reads an object literal of headers; refuses what cannot be followed. */
export function headerList(headers: NodePath<Expression>): Header[] {
  if (!headers.isObjectExpression()) return refuse('headers-unknown');
  const list: Header[] = [];
  for (const property of (headers as NodePath<ObjectExpression>).get('properties')) {
    if (!property.isObjectProperty()) refuse('headers-unknown');
    const name = keyName(property.node) ?? refuse('headers-unknown', 'a computed name');
    const value = property.get('value');
    if (!value.isExpression() || value.isObjectExpression()) refuse('headers-unknown');
    // axios does not send these.
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

/** Whether a content-type is what restitch sends by itself for this body, refusing those that mean another body. */
export function isImpliedContentType(value: NodePath<Expression>, body: BodyKind): boolean {
  if (!value.isStringLiteral()) return refuse('headers-unknown', '`Content-Type`');
  const type = value.node.value.toLowerCase();
  // Without a body it says nothing; axios in the browser takes it away.
  if (body === 'none') return true;
  if (/^application\/json\b/.test(type)) {
    if (body === 'form' || body === 'search') refuse('body-not-json', 'a form as JSON');
    return body === 'json' && type === 'application/json';
  }
  if (/^multipart\/form-data$/.test(type)) {
    if (body === 'form') return true;
    refuse('body-not-json', 'axios makes a form of it');
  }
  if (type.startsWith('application/x-www-form-urlencoded')) {
    if (body === 'search') return true;
    if (body !== 'text') refuse('body-not-json', 'axios makes a form of it');
    return false;
  }
  if (body !== 'text') refuse('body-not-json', 'its content-type');
  return false;
}

/** Puts the headers of a request where they belong: on the endpoint, or at the call when they name what is local. */
export function readHeaders(draw: Draw, body: BodyKind): void {
  const option = draw.request.options.get('headers');
  const list = option ? headerList(option.value) : [];
  const isType = ({ name }: Header): boolean => name.toLowerCase() === 'content-type';
  const type = list.find(isType);
  const inherited = draw.base?.contentType;
  // A text is sent with the type of a form by axios, as plain text by fetch: only with its own type it is the same.
  if (body === 'text' && !type && !inherited)
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
  const kept = list.filter(
    (header) => !isType(header) || !isImpliedContentType(header.value, body),
  );
  if (kept.length === 0) return;
  if (option?.via && !kept.every(({ value }) => stableNames(value))) {
    refuse('headers-unknown', 'they stand in a constant of the function');
  }
  const names = kept.map(({ value }) => stableNames(value));
  const stable =
    names.every((found) => found !== undefined) && kept.every(({ value }) => isText(value));
  const start = draw.base?.hasHeaders
    ? `...${draw.base.className}.prototype.getHeaders(headers)`
    : '...headers';
  const members: Piece[] = [`getHeaders: (headers) => ({ ${start}`];
  for (const { property, value } of kept) {
    if (isText(value)) members.push(', ', pieceOf(draw, property));
    else members.push(', ', ...guarded(draw, property, value));
  }
  members.push(' })');
  if (stable) {
    draw.names.push(...names.flatMap((found) => found ?? []));
    draw.options.push(
      members
        .map((piece) =>
          typeof piece === 'string' ? piece : draw.module.source.slice(piece[0], piece[1]),
        )
        .join(''),
    );
  } else draw.extend.push(members);
}

const literalOf = (value: NodePath): string =>
  value.isStringLiteral() ? value.node.value.toLowerCase() : '';

const isBodyOfOther = (body: BodyKind): boolean =>
  body === 'form' || body === 'search' || body === 'text';

/** Whether a value is sent in any case: axios leaves out undefined, null and false. */
function isText(value: NodePath): boolean {
  const kind = knownType(value);
  return kind === 'string' || kind === 'number';
}

// `...(token != null && { 'X-Token': token })`
function guarded(draw: Draw, property: NodePath, value: NodePath<Expression>): Piece[] {
  const simple =
    value.isIdentifier() ||
    (value.isMemberExpression() && dotted(value.node) !== '') ||
    (value.isCallExpression() &&
      /^(local|session)Storage\.getItem$/.test(dotted(value.node.callee)));
  if (!simple) refuse('headers-unknown', 'a header that may be missing');
  return ['...(', pieceOf(draw, value), ' != null && { ', pieceOf(draw, property), ' })'];
}

import type { Binding, NodePath } from '@babel/traverse';
import { type Expression, traverseFast } from '@babel/types';
import { dotted } from './clients.js';
import { textOf, type Module } from './module.js';
import { camelName, capital } from './naming.js';
import { refuse } from './reasons.js';
import { constantInit, insideCast, knownType, stableNames } from './values.js';

/** The parts of a URL: `prefix` + `path` + `?` + `query`. */
export interface Url {
  /** The texts and expressions before the path, in order. */
  readonly prefix: readonly Part[];
  /** True if the prefix names a host, so that the base URL of an instance does not count. */
  readonly absolute: boolean;
  /** The constants that the prefix names. Undefined if the prefix must be computed at the call. */
  readonly prefixNames: readonly Binding[] | undefined;
  readonly path: readonly Part[];
  readonly query: readonly QueryPair[];
}

/** A literal text, or an expression for a value. */
export type Part = string | NodePath<Expression>;

/** A search parameter in a URL. */
export interface QueryPair {
  readonly key: string;
  readonly value: Part;
}

/** Returns the texts and expressions of a URL in order. Adjacent texts are joined. */
export function urlParts(url: NodePath<Expression>, inlined: Binding[] = []): Part[] {
  const parts: Part[] = [];
  const add = (part: Part): void => {
    const last = parts.at(-1);
    if (part === '') return;
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  const read = (path: NodePath<Expression>): void => {
    if (path.isStringLiteral() || path.isNumericLiteral()) return add(String(path.node.value));
    if (path.isTemplateLiteral()) {
      const expressions = path.get('expressions');
      for (const [index, quasi] of path.node.quasis.entries()) {
        add(quasi.value.cooked ?? quasi.value.raw);
        const expression = expressions[index];
        if (expression?.isExpression()) readInside(expression);
      }
      return undefined;
    }
    if (path.isBinaryExpression({ operator: '+' }) && knownType(path) === 'string') {
      const left = path.get('left');
      if (left.isExpression()) read(left);
      return read(path.get('right'));
    }
    return readInside(path);
  };
  const readInside = (path: NodePath<Expression>): void => {
    const init = constantInit(path);
    // The text of a local constant is inserted. A constant of the module keeps its name.
    const local = init && init.scope !== init.scope.getProgramParent();
    if (local && isText(init) && (unchanged(init) || (isNext(path, init) && isQuiet(init)))) {
      const binding = path.isIdentifier() && path.scope.getBinding(path.node.name);
      if (binding) inlined.push(binding);
      return read(init);
    }
    if (path.isStringLiteral() || path.isNumericLiteral() || path.isTemplateLiteral())
      return read(path);
    return add(path);
  };
  read(url);
  return parts;
}

const isText = (path: NodePath): boolean =>
  path.isTemplateLiteral() ||
  path.isStringLiteral() ||
  (path.isBinaryExpression({ operator: '+' }) && knownType(path) === 'string');

// Returns true if the values in a text are still the same where the text is used.
export const unchanged = (path: NodePath): boolean => {
  if (path.isStringLiteral()) return true;
  if (path.isIdentifier()) return path.scope.getBinding(path.node.name)?.constant === true;
  if (path.isBinaryExpression()) return unchanged(path.get('left')) && unchanged(path.get('right'));
  return path.isTemplateLiteral() && path.get('expressions').every(unchanged);
};

// Returns true if a constant is used once, in a later statement. No code between may change a
// value.
function isNext(use: NodePath, init: NodePath): boolean {
  if (!use.isIdentifier() || use.scope.getBinding(use.node.name)?.references !== 1) return false;
  const declaration = init.parentPath?.parentPath;
  const statement = use.getStatementParent();
  if (!declaration || !statement || statement.container !== declaration.container) return false;
  // A use inside another function runs later.
  if (use.getFunctionParent() !== init.getFunctionParent()) return false;
  const from = Number(declaration.key) + 1;
  const between = statement.getAllPrevSiblings().filter(({ key }) => Number(key) >= from);
  return between.every((sibling) => sibling.isVariableDeclaration() && isQuiet(sibling));
}

// Matches functions without side effects.
const PURE = /^(String|Number|encodeURIComponent|parseInt)$/;

function isQuiet(path: NodePath): boolean {
  let quiet = true;
  traverseFast(path.node, (node) => {
    const { type } = node;
    if (type === 'CallExpression' && PURE.test(dotted(node.callee))) return;
    if (
      /^(Call|OptionalCall|New|Await|Yield|Assignment|Update|TaggedTemplate)/.test(type) &&
      type !== 'AssignmentPattern'
    )
      quiet = false;
  });
  return quiet;
}

const HOST = /^(?:[a-z][a-z\d+\-.]*:)?\/\//i;

/**
 * Splits a URL into its parts.
 *
 * @param based True if the client puts a base URL before relative URLs.
 * @param inlined Receives the local constants whose text becomes part of the URL.
 */
export function readUrl(url: NodePath<Expression>, based: boolean, inlined: Binding[] = []): Url {
  const parts = urlParts(url, inlined);
  const [first] = parts;
  const prefix: Part[] = [];
  let rest = parts;
  let absolute = false;
  if (typeof first === 'string' && HOST.test(first)) {
    absolute = true;
    [prefix[0], rest] = cutHost(parts);
    while (
      typeof rest[0] === 'object' ||
      (prefix.length > 1 && rest[0] && !/^[/?]/.test(rest[0]))
    ) {
      const [next, ...after] = rest;
      if (typeof next === 'string') {
        const end = next.search(/[/?]/);
        prefix.push(end < 0 ? next : next.slice(0, end));
        rest = end < 0 ? after : [next.slice(end), ...after];
      } else if (next) {
        prefix.push(next);
        rest = after;
      }
    }
  } else if (typeof first === 'object') {
    prefix.push(first);
    rest = parts.slice(1);
    if (based) {
      const literal = constantInit(first);
      if (!literal?.isStringLiteral() || HOST.test(literal.node.value))
        refuse('url-unknown', 'its start is not known, and the instance has a base URL');
      prefix.length = 0;
      rest = joinTexts([literal.node.value, ...rest]);
    }
  }
  const prefixNames = namesOf(prefix);
  if (
    prefix.length > 0 &&
    !prefixNames &&
    !(typeof rest[0] === 'string' && rest[0].startsWith('/'))
  )
    refuse('url-unknown');
  if (prefix.some((part) => typeof part === 'string' && part.includes('@')))
    refuse('url-unknown', 'it holds a password');
  const { path, query } = cutQuery(rest);
  checkSegments(path, prefix.length > 0);
  return { prefix, absolute, prefixNames, path, query };
}

function joinTexts([first, second, ...rest]: readonly Part[]): Part[] {
  return typeof first === 'string' && typeof second === 'string'
    ? [first + second, ...rest]
    : [first, second, ...rest].filter((part) => part !== undefined);
}

// Splits `https://host/path` at the first slash after the host.
function cutHost(parts: readonly Part[]): [host: string, rest: Part[]] {
  const [first, ...others] = parts as [string, ...Part[]];
  const start = HOST.exec(first)?.[0].length ?? 0;
  const found = first.slice(start).search(/[/?]/);
  const end = found < 0 ? first.length : start + found;
  const path = first.slice(end);
  return [first.slice(0, end), path ? [path, ...others] : others];
}

function namesOf(prefix: readonly Part[]): Binding[] | undefined {
  const names: Binding[] = [];
  for (const part of prefix) {
    if (typeof part === 'string') continue;
    const found = stableNames(part);
    if (!found) return undefined;
    names.push(...found);
  }
  return names;
}

function cutQuery(parts: readonly Part[]): { path: Part[]; query: QueryPair[] } {
  const at = parts.findIndex((part) => typeof part === 'string' && part.includes('?'));
  if (parts.some((part) => typeof part === 'string' && part.includes('#')))
    refuse('url-unknown', 'it has a hash');
  if (at < 0) return { path: [...parts], query: [] };
  const text = parts[at] as string;
  const cut = text.indexOf('?');
  const path = [...parts.slice(0, at), text.slice(0, cut)].filter((part) => part !== '');
  return { path, query: readQuery([text.slice(cut + 1), ...parts.slice(at + 1)]) };
}

function readQuery(parts: readonly Part[]): QueryPair[] {
  const pairs: QueryPair[] = [];
  let open: string | undefined;
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (open === undefined) refuse('query-unknown', 'a value is a part of a parameter');
      pairs.push({ key: open, value: part });
      open = undefined;
      continue;
    }
    if (pairs.length > 0 && !part.startsWith('&'))
      refuse('query-unknown', 'a value is a part of a parameter');
    const texts = part.split('&').filter(Boolean);
    const last = parts.at(-1) !== part && !part.endsWith('&') ? texts.pop() : undefined;
    for (const text of texts) {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? refuse('query-unknown', `\`${text}\``);
      pairs.push({ key: decode(key), value: decode(value) });
    }
    if (last !== undefined) {
      const [, key] =
        /^([^=]+)=$/.exec(last) ?? refuse('query-unknown', 'a value is a part of a parameter');
      open = decode(key);
    }
  }
  const keys = pairs.map(({ key }) => key);
  if (new Set(keys).size < keys.length) refuse('query-clash');
  return pairs;
}

function decode(text: string | undefined): string {
  try {
    return decodeURIComponent((text ?? '').replaceAll('+', ' '));
  } catch {
    return refuse('query-unknown', 'its encoding is broken');
  }
}

function checkSegments(path: readonly Part[], afterPrefix: boolean): void {
  for (const [index, part] of path.entries()) {
    if (typeof part === 'string') {
      if (part.includes('\\')) refuse('url-unknown', 'it has a backslash');
      continue;
    }
    const before = path[index - 1];
    const after = path[index + 1];
    const starts = typeof before === 'string' ? before.endsWith('/') : index === 0 && !afterPrefix;
    const ends = after === undefined || (typeof after === 'string' && after.startsWith('/'));
    if (!starts || !ends) refuse('url-partial-segment');
  }
}

// Matches vague names. The name of the owner is put before them: `user.id` becomes `userId`.
const VAGUE = /^(id|ids|name|slug|key|uuid|uid|code|type|value|title)$/i;
const NO_OWNER = /^(this|props|params|query|route|options|opts|data|args|self|state|match|config)$/;

/** Returns a name for a value, such as `userId` for `user._id` and `id` for `id`. */
export function nameOfValue(path: NodePath): string {
  const { node } = path;
  const inside = insideCast(path);
  if (inside) return nameOfValue(inside);
  if (path.isIdentifier()) return clean(path.node.name);
  if (path.isLogicalExpression()) return nameOfValue(path.get('left'));
  if (
    path.isMemberExpression() &&
    !path.node.computed &&
    path.node.property.type === 'Identifier'
  ) {
    const own = clean(path.node.property.name);
    const object = path.get('object');
    const owner =
      object.isIdentifier() || object.isMemberExpression() ? lastName(dotted(object.node)) : '';
    if (!VAGUE.test(own) || !owner || NO_OWNER.test(owner)) return own;
    return clean(owner) + capital(own);
  }
  if (path.isCallExpression()) {
    const callee = lastName(dotted(path.node.callee));
    const [argument] = path.get('arguments');
    if (/^(String|Number|parseInt|encodeURIComponent)$/.test(callee) && argument)
      return nameOfValue(argument);
    if (
      /^(to[A-Z]\w*|trim\w*|replace\w*|slice|padStart|normalize)$/.test(callee) &&
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression'
    ) {
      const object = path.get('callee');
      if (object.isMemberExpression()) return nameOfValue(object.get('object'));
    }
    const got = /^get([A-Z]\w*)$/.exec(callee)?.[1] ?? callee;
    return got ? clean(got.charAt(0).toLowerCase() + got.slice(1)) : 'value';
  }
  return 'value';
}

const lastName = (name: string): string => name.split('.').at(-1) ?? '';
const clean = (name: string): string => camelName(name.replace(/^[_$]+|[^\w]/g, '')) || 'value';

/**
 * Returns the argument of `encodeURIComponent(x)`, because restitch encodes values itself. Returns
 * any other expression unchanged.
 */
export function decoded(path: NodePath<Expression>): NodePath<Expression> {
  if (!path.isCallExpression() || dotted(path.node.callee) !== 'encodeURIComponent') return path;
  if (path.scope.hasBinding('encodeURIComponent', true)) return path;
  const [argument] = path.get('arguments');
  return path.node.arguments.length === 1 && argument?.isExpression() ? argument : path;
}

// Returns true if a constant may be a text. Constants of other modules count as texts.
function isTextual(path: NodePath): boolean {
  const init = constantInit(path);
  if (!init) return true;
  if (!init.isLogicalExpression()) return knownType(init) === 'string';
  return knownType(init.get('right')) === 'string' && /env\.\w+$/.test(dotted(init.node.left));
}

/** Returns a prefix as source text: a literal, a name or a template. */
export function prefixText(
  prefix: readonly Part[],
  module: Module,
  literal: (text: string) => string,
): string {
  const [only] = prefix;
  if (prefix.length === 1 && typeof only === 'string') return literal(only);
  // A constant that may be a text is written as `API`. Any other prefix becomes a template.
  if (prefix.length === 1 && typeof only === 'object' && stableNames(only) && isTextual(only))
    return textOf(module, only.node);
  const inner = prefix.map((part) =>
    typeof part === 'string'
      ? part.replace(/[`\\]|\$\{/g, '\\$&')
      : `\${${textOf(module, part.node)}}`,
  );
  return `\`${inner.join('')}\``;
}

import type { Binding, NodePath } from '@babel/traverse';
import type { Expression, ObjectExpression } from '@babel/types';
import { type Draw, type Entry, pieceOf } from './draw.js';
import { isEncoded } from './encoded.js';
import { textOf } from './module.js';
import {
  refuseNested,
  refuseNestedLiteral,
  refuseNestedType,
  refuseNestedWrites,
} from './nested.js';
import { refuse } from './reasons.js';
import { type ConfigOption, isNothing, keyName } from './request.js';
import { quoted } from './style.js';
import { isModuleType } from './types.js';
import { decoded, type QueryPair } from './url.js';
import { annotationOf, constantInit, knownType, typeKind, typeName } from './values.js';

/** Search parameters as arguments of the call. */
export interface Params {
  readonly entries: Entry[];
  /** True if all parameters are texts in the URL. */
  readonly fixed: boolean;
  /** True if the parameters may have unknown keys. */
  readonly open: boolean;
  /** The type of the parameters as source text. Undefined if there are none. */
  readonly type: string | undefined;
}

const isName = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);

/** Reads the query of the URL and the `params` option. */
export function readParams(
  draw: Draw,
  option: ConfigOption | undefined,
  query: readonly QueryPair[],
): Params {
  const entries: Entry[] = [];
  const types: string[] = [];
  const spreads: string[] = [];
  for (const pair of query) {
    const { key } = pair;
    const name = isName(key) ? key : JSON.stringify(key);
    types.push(`${name}: ${typeof pair.value === 'string' ? 'string' : 'unknown'}`);
    if (typeof pair.value === 'string') {
      const text = quoted(pair.value, draw.module.style);
      entries.push({ key, pieces: [`${name}: ${text}`] });
      continue;
    }
    // Axios puts the text of any value into the URL. restitch would omit an undefined value, and
    // repeat the parameter for an array.
    const value = decoded(pair.value);
    if (isEncoded(draw.module, value)) refuse('query-unknown', 'a value is encoded already');
    const kind = knownType(value);
    const scalar = kind === 'string' || kind === 'number' || kind === 'boolean';
    const plain = pieceOf(draw, value);
    const short = value.isIdentifier() && value.node.name === key && scalar;
    entries.push({
      key,
      pieces: short ? [plain] : scalar ? [`${name}: `, plain] : [`${name}: \`\${`, plain, '}`'],
    });
  }
  if (option) readOption(draw, option, entries, types, spreads);
  const keys = entries.map(({ key }) => key);
  const named = keys.filter((key) => key !== undefined);
  if (new Set(named).size < named.length || (query.length > 0 && spreads.length > 0))
    refuse('query-clash');
  const own = types.length > 0 ? `{ ${types.join('; ')} }` : '';
  return {
    entries,
    fixed: !option && query.every(({ value }) => typeof value === 'string'),
    open: spreads.length > 0,
    type: [...spreads, ...(own ? [own] : [])].join(' & ') || undefined,
  };
}

function readOption(
  draw: Draw,
  { value, via }: ConfigOption,
  entries: Entry[],
  types: string[],
  spreads: string[],
): void {
  if (value.isNullLiteral() || isNothing(value.node)) return;
  if (value.isObjectExpression()) {
    readLiteral(draw, value, via, entries, types, spreads);
    return;
  }
  const type = spreadType(draw, value, true);
  entries.push({ key: undefined, pieces: ['...', via ? `${via}.params` : pieceOf(draw, value)] });
  spreads.push(type);
}

function readLiteral(
  draw: Draw,
  literal: NodePath<ObjectExpression>,
  via: string | undefined,
  entries: Entry[],
  types: string[],
  spreads: string[],
): void {
  for (const property of literal.get('properties')) {
    if (property.isSpreadElement()) {
      const argument = property.get('argument');
      if (
        via ||
        !(argument.isIdentifier() || argument.isMemberExpression() || argument.isObjectExpression())
      )
        refuse('query-unknown');
      spreads.push(spreadType(draw, argument, false));
      entries.push({ key: undefined, pieces: ['...', pieceOf(draw, argument)] });
      continue;
    }
    if (!property.isObjectProperty()) refuse('query-unknown');
    const key = keyName(property.node) ?? refuse('query-unknown', 'a computed key');
    const value = property.get('value');
    if (!value.isExpression()) refuse('query-unknown');
    if (value.isNullLiteral() || isNothing(value.node)) continue;
    refuseNested(draw.module, key, value);
    // Axios writes keys that end with `[]` or `{}` in another format.
    if (/(\[\]|\{\})$/.test(key)) refuse('query-nested', `\`${key}\``);
    const name = isName(key) ? key : textOf(draw.module, property.node.key);
    types.push(`${name}: unknown`);
    entries.push({
      key,
      pieces: via
        ? [`${name}: ${via}.params${isName(key) ? `.${key}` : `[${name}]`}`]
        : [pieceOf(draw, property)],
    });
  }
}

// Accepts only known plain objects, because the pairs of a `URLSearchParams` are not its members.
function spreadType(draw: Draw, value: NodePath<Expression>, whole: boolean): string {
  const loose = 'Record<string, any>';
  const unknown = (): never =>
    whole
      ? refuse('query-unknown', 'it may be a `URLSearchParams`')
      : refuse('query-nested', 'what is spread may hold one');
  if (value.isObjectExpression()) {
    refuseNestedLiteral(draw.module, value);
    return loose;
  }
  if (!value.isIdentifier()) return unknown();
  const binding = value.scope.getBinding(value.node.name) ?? unknown();
  const type = annotationOf(binding);
  if (type) {
    if (typeName(type) === 'URLSearchParams' || (typeKind(type) ?? 'object') !== 'object')
      unknown();
    refuseNestedType(draw.module, binding, type);
    if (!isModuleType(value, type)) return loose;
    return textOf(draw.module, type) + (isOptional(binding) ? ' | undefined' : '');
  }
  const init = constantInit(value);
  if (!init?.isObjectExpression()) return unknown();
  refuseNestedLiteral(draw.module, init);
  refuseNestedWrites(draw.module, binding);
  return loose;
}

const isOptional = ({ identifier }: Binding): boolean => identifier.optional === true;

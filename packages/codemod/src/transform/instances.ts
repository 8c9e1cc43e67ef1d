import type { NodePath } from '@babel/traverse';
import type { Expression } from '@babel/types';
import type { Instance } from './clients.js';
import type { BaseOptions } from './draw.js';
import { headerList } from './headers.js';
import { textOf } from './module.js';
import { refuse } from './reasons.js';
import { constantObject, isNothing, keyName } from './request.js';
import { quoted, type Style } from './style.js';
import { capital } from './naming.js';
import { timeoutText } from './timeout.js';
import { constantInit, knownType, stableNames } from './values.js';

/** Returns the name for the class of a variable, such as `ApiEndpoint` for `api`. */
export function classNameFor(variable: string): string {
  const words = variable.replace(/[^\w]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return `${capital(words.replace(/^[_$\d]+/, '')) || 'Base'}Endpoint`;
}

/**
 * Reads the config of `axios.create()`, and returns the class that replaces the instance. Refuses a
 * config without an equivalent.
 */
export function readInstance(instance: Instance, name: string): BaseOptions {
  const { module, call } = instance;
  const { RestEndpoint: endpoint, RestGenerics: generics } = module.local;
  const { style, typescript } = module;
  const [config, ...extra] = call.get('arguments');
  if (extra.length > 0) refuse('instance-config');
  const members: string[] = [];
  const methods: string[] = [];
  // The compiler always allows `override`, and `noImplicitOverride` requires it.
  const own = typescript ? 'override ' : '';
  const found = { hasUrl: false, baseUrl: '', hasTimeout: false, hasCredentials: false };
  const headers: string[] = [];
  let contentType: string | undefined;
  for (const [key, value] of config ? optionsOf(config) : []) {
    if (key === 'baseURL') {
      members.push(`${own}urlPrefix = ${baseUrl(instance, value, style)}${style.semicolon}`);
      found.hasUrl = true;
      const literal = value.isStringLiteral() ? value : constantInit(value);
      if (literal?.isStringLiteral()) found.baseUrl = literal.node.value;
    } else if (key === 'timeout') {
      const text = timeoutText(module, value);
      if (text === '0') continue;
      if (!stableNames(value) && knownType(value) !== 'number')
        refuse('instance-config', '`timeout` cannot be followed');
      members.push(`${own}timeout = ${text}${style.semicolon}`);
      found.hasTimeout = true;
    } else if (key === 'withCredentials') {
      if (!value.isBooleanLiteral()) refuse('instance-config', '`withCredentials`');
      if (!value.node.value) continue;
      const type = typescript ? ': RequestInit' : '';
      members.push(
        `${own}requestInit${type} = { credentials: ${quoted('include', style)} }${style.semicolon}`,
      );
      found.hasCredentials = true;
    } else if (key === 'headers') {
      const list = headerList(value).filter((header) => {
        if (header.name.toLowerCase() !== 'content-type') return true;
        if (!header.value.isStringLiteral()) refuse('instance-config', 'its content-type');
        contentType = header.value.node.value.toLowerCase();
        if (contentType !== 'application/json') refuse('instance-config', 'its content-type');
        return false;
      });
      for (const header of list) {
        if (!stableNames(header.value) || knownType(header.value) !== 'string')
          refuse('instance-config', `the header \`${header.name}\` is made when the instance is`);
      }
      if (list.length === 0) continue;
      const texts = list.map(({ property }) => textOf(module, property.node));
      methods.push(
        typescript
          ? `${own}getHeaders(headers: HeadersInit): HeadersInit {`
          : 'getHeaders(headers) {',
        `${style.indent}return { ...headers, ${texts.join(', ')} }${style.semicolon}`,
        '}',
      );
      headers.push(...list.map(({ name: header }) => header));
    } else refuse('instance-config', `\`${key}\``);
  }
  const head = typescript
    ? `class ${name}<O extends ${generics} = any> extends ${endpoint}<O> {`
    : `class ${name} extends ${endpoint} {`;
  const body = [...members, ...methods].map((line) => `${style.newline}${style.indent}${line}`);
  const text = `${head}${body.join('')}${body.length > 0 ? style.newline : ''}}`;
  return { ...found, headers, className: name, text, contentType };
}

function optionsOf(config: NodePath): [string, NodePath<Expression>][] {
  if (isNothing(config.node)) return [];
  const literal = config.isObjectExpression()
    ? config
    : constantObject(config, new Set([config.parent]));
  if (!literal) refuse('instance-config', 'it cannot be followed');
  return literal.get('properties').flatMap((property): [string, NodePath<Expression>][] => {
    if (!property.isObjectProperty()) refuse('instance-config', 'it cannot be followed');
    const key = keyName(property.node) ?? refuse('instance-config', 'it cannot be followed');
    const value = property.get('value');
    if (!value.isExpression()) refuse('instance-config', 'it cannot be followed');
    return isNothing(value.node) ? [] : [[key, value]];
  });
}

// Returns the base URL without its last slash. Axios puts one slash between base URL and path, and
// the paths begin with it.
function baseUrl({ module }: Instance, value: NodePath<Expression>, style: Style): string {
  const init = value.isStringLiteral() ? value : constantInit(value);
  if (init?.isStringLiteral()) {
    const text = init.node.value.replace(/\/?\/$/, '');
    if (/[?#@]/.test(text)) refuse('instance-config', '`baseURL`');
    return value.isStringLiteral() || text !== init.node.value
      ? quoted(text, style)
      : textOf(module, value.node);
  }
  const text = textOf(module, value.node);
  if (stableNames(value)) return text;
  // A variable of the environment is read once, where the class is created, as with
  // `axios.create()`.
  if (/^(process\.env\.\w+|import\.meta\.env\.\w+)$/.test(text))
    return `${text} ?? ${quoted('', style)}`;
  if (/^(process\.env\.\w+|import\.meta\.env\.\w+) *(\|\||\?\?) *(['"])[^'"]*[^'"/]\3$/.test(text))
    return text;
  return refuse('instance-config', '`baseURL` cannot be followed');
}

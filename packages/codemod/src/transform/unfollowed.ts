import type { Node } from '@babel/types';
import { dotted, propertyName, requiredModule } from './clients.js';
import { type Module, startOf } from './module.js';
import type { Project } from './project.js';
import { childrenOf } from './readers.js';
import { typeName } from './values.js';

const METHODS = /^(get|delete|head|options|post|put|patch|request|postForm|putForm|patchForm)$/;

/**
 * Returns the uses of axios that the conversion does not follow, for the report. These include
 * `require` inside a function, `import()`, a re-export and a global `axios`. They also include a
 * client in a member, a local variable or a parameter.
 */
export function unfollowedUses(module: Module, { uses, memberNames, mocking }: Project): Node[] {
  const known = new Set(uses.filter((use) => use.module === module).map(({ path }) => path.node));
  const found: Node[] = [];
  const top = importedAtTop(module);
  // In a component, `data: () => ({ http })` makes the client available as `this.http`.
  const given = uses.flatMap(({ module: at, kind, path: { parent } }) =>
    at === module && kind === 'value' && parent.type === 'ObjectProperty' ? nameOf(parent.key) : [],
  );
  const own = holdersIn(module, mocking.has(module));
  const holders = { ...own, members: new Set([...own.members, ...given]), memberNames };
  const { globals } = module.program.scope as unknown as { globals: Record<string, unknown> };
  const isGlobal = 'axios' in globals;
  const visit = (node: Node): void => {
    const isOne =
      (isLoaded(node) && !top.has(node)) ||
      isReexport(node) ||
      (node.type === 'CallExpression' && isMemberCall(node.callee, holders, isGlobal));
    if (isOne && !known.has(node)) found.push(node);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(module.ast.program);
  return found.sort((a, b) => startOf(a) - startOf(b));
}

/** Finds uses such as `window.axios.defaults` and `require('axios').interceptors`. */
export function changesUnfollowed({ ast }: Module): 'defaults' | 'interceptors' | undefined {
  let found: 'defaults' | 'interceptors' | undefined;
  const visit = (node: Node): void => {
    const name = propertyName(node);
    if (
      (name === 'defaults' || name === 'interceptors') &&
      'object' in node &&
      /^((window|globalThis|global|self)\.)?axios$/.test(rootOf(node.object as Node))
    )
      found ??= name;
    for (const child of childrenOf(node)) visit(child);
  };
  visit(ast.program);
  return found;
}

// Returns the text of the root object, in which `require('axios')` counts as `axios`.
const rootOf = (node: Node): string =>
  requiredModule(node) === 'axios' ? 'axios' : dotted(node).replace(/\.default$/, '');

function importedAtTop({ ast }: Module): Set<Node> {
  const top = new Set<Node>();
  const add = (node: Node | null | undefined): void => {
    if (!node) return;
    top.add(node);
    if (node.type === 'MemberExpression') add(node.object);
  };
  for (const statement of ast.program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { init } of statement.declarations) add(init);
  }
  return top;
}

// Returns true for `require('axios')`, `import('axios')` and `import axios = require('axios')`.
function isLoaded(node: Node): boolean {
  if (node.type === 'TSExternalModuleReference') return node.expression.value === 'axios';
  if (node.type !== 'CallExpression') return false;
  const [name] = node.arguments;
  return (
    (node.callee.type === 'Import' || requiredModule(node) !== undefined) &&
    name?.type === 'StringLiteral' &&
    name.value === 'axios'
  );
}

const isReexport = (node: Node): boolean =>
  (node.type === 'ExportAllDeclaration' ||
    (node.type === 'ExportNamedDeclaration' && node.exportKind !== 'type')) &&
  node.source?.value === 'axios' &&
  (node.type === 'ExportAllDeclaration' ||
    node.specifiers.some(
      (one) =>
        one.type !== 'ExportSpecifier' ||
        (one.exportKind !== 'type' && /^(default|axios)$/.test(nameOf(one.local))),
    ));

const nameOf = (node: Node): string =>
  node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : '';

interface Own {
  readonly members: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

interface Holders extends Own {
  /** The names of members of any object, such as `this.$http`. */
  readonly memberNames: ReadonlySet<string>;
}

/**
 * Returns the names of members that each component has, as after `Vue.prototype.$http = axios` or a
 * plugin. The value can be any client: requests through these members are reported, not converted.
 */
export function memberNamesIn(modules: readonly Module[]): string[] {
  return modules.flatMap(({ source }) => {
    const set = [...source.matchAll(SET)].flatMap(([, name]) => name ?? []);
    return /['"]vue-axios['"]/.test(source) ? [...set, '$http', 'axios'] : set;
  });
}

const SET = /\b(?:prototype|globalProperties)\.(\$\w*(?:axios|http|api|request)\w*)\s*=[^=]/gi;

// Returns the variables and members that contain an instance. Examples are `http: AxiosInstance`
// and `this.http = axios.create()`.
function holdersIn({ ast, program }: Module, isMocking: boolean): Own {
  const members = new Set<string>();
  const names = new Set<string>();
  const taken: Node[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'AssignmentExpression' && isMade(node.right)) {
      const name = propertyName(node.left);
      if (name !== undefined) members.add(name);
      else if (node.left.type === 'Identifier') names.add(node.left.name);
    }
    if (node.type === 'ClassProperty' || node.type === 'ClassPrivateProperty') {
      const key = node.key.type === 'PrivateName' ? node.key.id : node.key;
      const typed = 'typeAnnotation' in node && isInstanceType(node.typeAnnotation);
      if ((node.value && isMade(node.value)) || typed) members.add(nameOf(key));
    }
    if (node.type === 'VariableDeclarator' && node.init && isMade(node.init))
      names.add(nameOf(node.id));
    // The pattern may be `const { http } = this`.
    if (node.type === 'ObjectPattern') taken.push(...node.properties);
    if (node.type === 'Identifier' && isInstanceType(node.typeAnnotation)) names.add(node.name);
    if (node.type === 'TSParameterProperty' && 'typeAnnotation' in node.parameter) {
      if (isInstanceType(node.parameter.typeAnnotation)) members.add(nameOf(node.parameter));
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(ast.program);
  for (const property of taken) {
    if (property.type !== 'ObjectProperty' || !members.has(nameOf(property.key))) continue;
    const { value } = property;
    names.add(nameOf(value.type === 'AssignmentPattern' ? value.left : value));
  }
  // Names at the top level of the module are followed elsewhere.
  for (const name of names) {
    const binding = program.scope.getOwnBinding(name);
    if (!isMocking && binding?.path.isVariableDeclarator() && binding.constant) names.delete(name);
  }
  return { members, names };
}

function isMade(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'TSAsExpression')
    return isMade(node.type === 'AwaitExpression' ? node.argument : node.expression);
  if (node.type === 'LogicalExpression') return isMade(node.left) || isMade(node.right);
  if (node.type === 'Identifier') return node.name === 'axios';
  if (requiredModule(node) === 'axios') return true;
  return (
    node.type === 'CallExpression' && /\baxios(\.default)?\.create$/i.test(dotted(node.callee))
  );
}

const isInstanceType = (annotation: Node | null | undefined): boolean =>
  annotation?.type === 'TSTypeAnnotation' &&
  /^Axios(Instance|Static)$/.test(typeName(annotation.typeAnnotation) ?? '');

function isMemberCall(
  callee: Node,
  { members, names, memberNames }: Holders,
  isGlobal: boolean,
): boolean {
  const method = propertyName(callee);
  const object = 'object' in callee ? (callee.object as Node) : undefined;
  // The method may be computed, as in `this.$http[method](url)`.
  const isChosen = 'computed' in callee && callee.computed;
  const holder = object && (isChosen || METHODS.test(method ?? '')) ? object : callee;
  if (holder.type === 'Identifier')
    return names.has(holder.name) || (isGlobal && holder.name === 'axios');
  if (/^(window|globalThis|global|self)\.axios$/.test(dotted(holder))) return true;
  const member = privateName(holder) ?? propertyName(holder);
  if (member !== undefined && 'object' in holder && memberNames.has(member)) return true;
  return 'object' in holder && member !== undefined && members.has(member);
}

const privateName = (node: Node): string | undefined =>
  (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') &&
  node.property.type === 'PrivateName'
    ? node.property.id.name
    : undefined;

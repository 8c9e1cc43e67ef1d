import type { NodePath } from '@babel/traverse';
import { posix } from 'node:path';
import { hasClass } from './bridged.js';
import { classifyUse, type Instance, isWritten, propertyName, type Use } from './clients.js';
import { insertion } from './edits.js';
import { hasNoHead, isCommonJs, prologueEnd } from './hoist.js';
import { type Module, startOf } from './module.js';
import { quoted } from './style.js';
import { topIndent } from './construct.js';

/** An instance that every component has as a member, as after `Vue.prototype.$http = api`. */
export interface ComponentMember {
  readonly client: Instance;
  readonly name: string;
  /** The module that sets the member. */
  readonly module: Module;
}

/**
 * Returns the clients that are a member of all components. A member is left out if any file assigns
 * another value to that name.
 */
export function componentMembers(uses: readonly Use[]): ComponentMember[] {
  const found = uses.flatMap(({ client, kind, path, module }): ComponentMember[] => {
    const { parent } = path;
    if (
      client.kind !== 'instance' ||
      kind !== 'value' ||
      parent.type !== 'AssignmentExpression' ||
      parent.right !== path.node
    )
      return [];
    const { left } = parent;
    const name = propertyName(left);
    if (!name?.startsWith('$') || left.type !== 'MemberExpression') return [];
    return /^(prototype|globalProperties)$/.test(propertyName(left.object) ?? '')
      ? [{ client, name, module }]
      : [];
  });
  return found.filter(({ name, module }) => {
    const member = name.replaceAll('$', '\\$');
    const sets = new RegExp(
      `\\.${member}\\s*=[^=]|\\[['"]${member}['"]\\]|(?<![\\w$.])${member}\\s*:`,
    );
    return (
      found.filter((one) => one.name === name).length === 1 &&
      module.neighbors.paths(sets).every((path) => path === module.path)
    );
  });
}

export function memberUses(module: Module, members: readonly ComponentMember[]): Use[] {
  const clients = new Map(members.map(({ name, client }) => [name, client]));
  if (![...clients.keys()].some((name) => module.names.has(name))) return [];
  const uses: Use[] = [];
  module.program.traverse({
    MemberExpression(path: NodePath) {
      const client = clients.get(propertyName(path.node) ?? '');
      if (client && !isWritten(path)) uses.push(classifyUse(module, client, path));
    },
  });
  return uses;
}

/** Returns true if a module imports or defines an instance. */
const knows = ({ links, module: home }: Instance, module: Module): boolean =>
  module === home ||
  links.some((link) => link.module === module && /^(import|require)$/.test(link.kind));

/**
 * Returns true if a module has an instance only as a member. Such a module must import the class.
 */
export const needsImport = (instance: Instance, module: Module): boolean =>
  !knows(instance, module) && !hasClass(module, instance.bridge?.name ?? '');

/**
 * Returns true if a module can import the class. The instance must be exported. The new import must
 * not separate a comment at the start of the module from its statement.
 */
export const canImport = ({ links, module: home }: Instance, module: Module): boolean =>
  !isCommonJs(module) &&
  !(hasNoHead(module) && beginsWithComment(module)) &&
  links.some((link) => link.module === home && link.kind.startsWith('export-')) &&
  module.ast.program.body.some(({ type }) => /^(Import|Export)/.test(type));

const beginsWithComment = ({ ast, comments }: Module): boolean =>
  comments.some((comment) => (comment.end ?? 0) <= startOf(ast.program.body[0] ?? ast.program));

/**
 * Imports the class of an instance by an alias such as `@/api`, if other modules import the
 * instance by an alias. Otherwise, uses a relative path.
 */
export function importClass(instance: Instance, className: string, module: Module): void {
  if (!needsImport(instance, module)) return;
  const { newline, semicolon } = module.style;
  const from = quoted(specifierOf(instance, module), module.style);
  const text = `import { ${className} } from ${from}${semicolon}`;
  const [first] = module.ast.program.body;
  const isFirst = first !== undefined && hasNoHead(module);
  const indent = topIndent(module);
  module.edits.unshift(
    isFirst
      ? insertion(startOf(first), `${text}${newline}${newline}${indent}`)
      : insertion(prologueEnd(module), `${newline}${indent}${text}`),
  );
}

function specifierOf({ links, module: home }: Instance, module: Module): string {
  const known = links.flatMap(({ kind, from }) => (kind === 'import' && from ? [from] : []));
  const alias = known.find(
    (name) => module.neighbors.find(name)?.path === home.path && !name.startsWith('.'),
  );
  if (alias !== undefined) return alias;
  const path = posix.relative(posix.dirname(module.path), home.path).replace(/\.[mc]?[jt]sx?$/, '');
  return path.startsWith('.') ? path : `./${path}`;
}

import type { Node, Statement } from '@babel/types';
import { type Link, requiredModule, specifierName } from './clients.js';
import { insertion } from './edits.js';
import { prologueEnd } from './hoist.js';
import { endOf, type Module, type RestitchName, startOf } from './module.js';
import { quoted } from './style.js';
import { topIndent, walk } from './write.js';

/** Whether a name is still used, after all nodes in `consumed` are gone. */
export function isUsed(
  module: Module,
  name: string,
  consumed: ReadonlySet<Node>,
  except: Node,
): boolean {
  let used = module.around !== '' && new RegExp(`\\b${name}\\b`).test(module.around);
  const shadows = shadowed(module, name);
  walk(module.ast.program, (node, parent) => {
    if (used || shadows.has(node) || (node.type !== 'Identifier' && node.type !== 'JSXIdentifier'))
      return;
    if (node.name !== name || consumed.has(node)) return;
    if (startOf(node) >= startOf(except) && endOf(node) <= endOf(except)) return;
    const isKey =
      parent !== undefined &&
      'computed' in parent &&
      !parent.computed &&
      ((parent.type === 'MemberExpression' && parent.property === node) ||
        (parent.type === 'OptionalMemberExpression' && parent.property === node) ||
        (parent.type === 'ObjectProperty' && parent.key === node && parent.value !== node));
    if (!isKey) used = true;
  });
  return used;
}

// The nodes of a name that mean a variable of an inner scope.
function shadowed({ program }: Module, name: string): Set<Node> {
  const nodes = new Set<Node>();
  program.traverse({
    Scopable({ scope }) {
      const binding = scope === program.scope ? undefined : scope.getOwnBinding(name);
      if (!binding) return;
      nodes.add(binding.identifier);
      for (const { node } of binding.referencePaths) nodes.add(node);
    },
  });
  return nodes;
}

/** Takes out what nothing uses of axios, brings in what is needed of restitch, and says which statements are gone. */
export function writeImports(
  module: Module,
  needs: ReadonlySet<RestitchName>,
  consumed: ReadonlySet<Node>,
): Set<Node> {
  const removed = new Set<Node>();
  const { body } = module.ast.program;
  const existing = body.find(
    (one) => one.type === 'ImportDeclaration' && one.source.value === 'restitch',
  );
  const present = new Set<string>();
  if (existing?.type === 'ImportDeclaration') {
    for (const one of existing.specifiers)
      if (one.type === 'ImportSpecifier') present.add(specifierName(one.imported));
  }
  let wanted = [...needs].filter((name) => !present.has(name)).sort(byName);
  if (
    existing?.type === 'ImportDeclaration' &&
    existing.importKind !== 'type' &&
    wanted.length > 0
  ) {
    const last = existing.specifiers.at(-1);
    if (last?.type === 'ImportSpecifier') {
      module.edits.push(
        insertion(endOf(last), wanted.map((name) => `, ${imported(module, name)}`).join('')),
      );
      wanted = [];
    }
  }
  let text = wanted.length > 0 ? importText(module, wanted) : '';
  for (const statement of body) {
    const gone = goneOf(module, statement, consumed);
    if (!gone) continue;
    if (gone === 'all') {
      const end = text ? endOf(statement) : lineAfter(module, statement);
      module.edits.push({ start: startOf(statement), end, pieces: [text] });
      if (!text) removed.add(statement);
      text = '';
    } else module.edits.push(...gone);
  }
  if (!text) return removed;
  const of = (name: string) => body.find((one) => sourceOf(one) === name);
  const beside = of('axios');
  const at = beside ? endOf(beside) : prologueEnd(module);
  module.edits.unshift(insertion(at, `${module.style.newline}${topIndent(module)}${text}`));
  return removed;
}

const byName = (a: RestitchName, b: RestitchName): number => order.indexOf(a) - order.indexOf(b);
const order: readonly RestitchName[] = ['NetworkError', 'RestEndpoint', 'RestGenerics'];

function imported(module: Module, name: RestitchName): string {
  const local = module.local[name];
  if (isCommonJs(module)) return local === name ? name : `${name}: ${local}`;
  const text = local === name ? name : `${name} as ${local}`;
  return name === 'RestGenerics' && module.typescript ? `type ${text}` : text;
}

/** Whether a module uses `require` rather than `import`. */
export function isCommonJs({ ast }: Module): boolean {
  const { body } = ast.program;
  return (
    !body.some(({ type }) => /^(Import|Export)/.test(type)) &&
    body.some((one) => sourceOf(one) !== undefined)
  );
}

function importText(module: Module, names: readonly RestitchName[]): string {
  const list = names.map((name) => imported(module, name)).join(', ');
  const from = quoted('restitch', module.style);
  const { semicolon } = module.style;
  return isCommonJs(module)
    ? `const { ${list} } = require(${from})${semicolon}`
    : `import { ${list} } from ${from}${semicolon}`;
}

function sourceOf(statement: Statement): string | undefined {
  if (statement.type === 'ImportDeclaration') return statement.source.value;
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1)
    return undefined;
  return requiredModule(statement.declarations[0]?.init);
}

// What goes of an import of axios: all of it, or single names.
function goneOf(
  module: Module,
  statement: Statement,
  consumed: ReadonlySet<Node>,
): 'all' | { start: number; end: number; pieces: string[] }[] | undefined {
  if (sourceOf(statement) !== 'axios') return undefined;
  if (statement.type === 'VariableDeclaration') {
    const [declarator] = statement.declarations;
    const id = declarator?.id;
    const names =
      id?.type === 'Identifier'
        ? [id.name]
        : id?.type === 'ObjectPattern'
          ? id.properties.map((one) =>
              one.type === 'ObjectProperty' && one.value.type === 'Identifier'
                ? one.value.name
                : '',
            )
          : [''];
    return names.every((name) => name && !isUsed(module, name, consumed, statement))
      ? 'all'
      : undefined;
  }
  if (statement.type !== 'ImportDeclaration' || statement.specifiers.length === 0) return undefined;
  const unused = statement.specifiers.filter(
    (one) => !isUsed(module, one.local.name, consumed, statement),
  );
  if (unused.length === 0) return undefined;
  if (unused.length === statement.specifiers.length) return 'all';
  const rest = statement.specifiers.filter((one) => !unused.includes(one));
  // Between `import` and `from`.
  const clause = /^import\s+(type\s+)?/.exec(module.source.slice(startOf(statement)));
  const start = startOf(statement) + (clause?.[0].length ?? 0);
  const end = module.source.lastIndexOf('from', startOf(statement.source));
  const last = module.source.slice(start, end).trimEnd();
  return [{ start, end: start + last.length, pieces: [clauseText(module, rest)] }];
}

type Specifiers = (Statement & { type: 'ImportDeclaration' })['specifiers'];

function clauseText({ source }: Module, specifiers: Specifiers): string {
  const text = (one: Specifiers[number]): string => source.slice(startOf(one), endOf(one));
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier').map(text);
  const others = specifiers.filter(({ type }) => type !== 'ImportSpecifier').map(text);
  return [...others, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ');
}

// The line of a statement goes with it, and one of two empty lines around it.
function lineAfter({ source }: Module, statement: Statement): number {
  const end = endOf(statement);
  const rest = /^[ \t]*\r?\n/.exec(source.slice(end))?.[0];
  if (rest === undefined) return end;
  const alone = /(^|\n)[ \t]*\r?\n[ \t]*$/.test(source.slice(0, startOf(statement)));
  const empty = alone ? /^[ \t]*\r?\n/.exec(source.slice(end + rest.length))?.[0] : undefined;
  return end + rest.length + (empty?.length ?? 0);
}

/** What an importing module changes to name the class: instead of the instance, or beside it. */
export function writeLink(link: Link, className: string, replaced: boolean, needed: boolean): void {
  const { module, node, kind, name } = link;
  const { newline, semicolon } = module.style;
  const put = (start: number, end: number, text: string): void => {
    module.edits.push({ start, end, pieces: [text] });
  };
  const indent = topIndent(module);
  switch (kind) {
    case 'export-declaration':
      return;
    case 'export-default':
      if (replaced) put(startOf(node), endOf(node), className);
      return;
    case 'export-specifier':
      if (replaced)
        put(startOf(node), endOf(node), name === 'default' ? `${className} as default` : className);
      else put(endOf(node), endOf(node), `, ${className}`);
      return;
    case 'reexport': {
      if (node.type !== 'ExportSpecifier') return;
      const isDefault = specifierName(node.local) === 'default';
      if (!replaced) put(endOf(node), endOf(node), `, ${className}`);
      else if (name !== 'default' || !isDefault) {
        const as = name === 'default' ? 'default' : className;
        const local = isDefault ? 'default' : className;
        put(startOf(node), endOf(node), local === as ? as : `${local} as ${as}`);
      }
      return;
    }
    case 'exports-all':
      if (node.type !== 'AssignmentExpression') return;
      if (replaced) put(startOf(node.right), endOf(node.right), className);
      else {
        const end = endOf(node) + (module.source[endOf(node)] === ';' ? 1 : 0);
        put(end, end, `${newline}${indent}module.exports.${className} = ${className}${semicolon}`);
      }
      return;
    case 'exports-member': {
      if (node.type === 'ObjectProperty') {
        if (replaced) put(startOf(node), endOf(node), className);
        else put(endOf(node), endOf(node), `, ${className}`);
      } else if (node.type === 'AssignmentExpression') {
        const left = module.source
          .slice(startOf(node.left), endOf(node.left))
          .replace(/\.\w+$/, '');
        const text = `${left}.${className} = ${className}`;
        if (replaced) put(startOf(node), endOf(node), text);
        else {
          const end = endOf(node) + (module.source[endOf(node)] === ';' ? 1 : 0);
          put(end, end, `${newline}${indent}${text}${semicolon}`);
        }
      }
      return;
    }
    case 'import': {
      if (!replaced && !needed) return;
      if (node.type === 'ImportDefaultSpecifier') {
        if (replaced) put(startOf(node), endOf(node), className);
        else addSpecifier(module, node, className);
      } else if (node.type === 'ImportSpecifier') {
        if (!replaced) put(endOf(node), endOf(node), `, ${className}`);
        else
          put(
            startOf(node),
            endOf(node),
            specifierName(node.imported) === 'default' ? `default as ${className}` : className,
          );
      }
      return;
    }
    case 'require': {
      if (node.type !== 'VariableDeclarator' || (!replaced && !needed)) return;
      if (node.id.type === 'Identifier') {
        if (replaced) put(startOf(node.id), endOf(node.id), className);
        else if (node.init)
          put(
            endOf(node),
            endOf(node),
            `, { ${className} } = ${module.source.slice(startOf(node.init), endOf(node.init))}`,
          );
      } else if (node.id.type === 'ObjectPattern') {
        const property = node.id.properties.find(
          (one) => one.type === 'ObjectProperty' && specifierName(one.key) === name,
        );
        if (!property) return;
        if (replaced) put(startOf(property), endOf(property), className);
        else put(endOf(property), endOf(property), `, ${className}`);
      }
    }
  }
}

// `import api from` becomes `import api, { ApiEndpoint } from`.
function addSpecifier(module: Module, node: Node, className: string): void {
  const statement = module.ast.program.body.find(
    (one) =>
      one.type === 'ImportDeclaration' && one.specifiers.some((specifier) => specifier === node),
  );
  if (statement?.type !== 'ImportDeclaration') return;
  const named = statement.specifiers.find(({ type }) => type === 'ImportSpecifier');
  if (named) module.edits.push(insertion(startOf(named), `${className}, `));
  else if (statement.specifiers.length === 1)
    module.edits.push(insertion(endOf(node), `, { ${className} }`));
}

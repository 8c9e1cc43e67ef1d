import type { ImportDeclaration, Node } from '@babel/types';
import { type Link, specifierName } from './clients.js';
import { insertion } from './edits.js';
import { endOf, type Module, startOf } from './module.js';
import { topIndent } from './construct.js';

/** The change of an import or export of an instance. */
export interface LinkChange {
  /** True if the class replaces the instance. */
  readonly replaced: boolean;
  /** True if the module must name the class. */
  readonly needed: boolean;
  /** True if the instance stays, but this module no longer uses it. */
  readonly unused: boolean;
}

/** Adds the class to an import or export of the instance, or replaces the instance there. */
export function writeLink(
  link: Link,
  className: string,
  { replaced, needed, unused }: LinkChange,
): void {
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
      else if (needed) addExport(module, node, className);
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
          .replace(/\.[\w$]+$/, '');
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
        else if (unused) replaceDefault(module, node, className);
        else addSpecifier(module, node, className);
      } else if (node.type === 'ImportSpecifier') {
        if (!replaced && !unused) put(endOf(node), endOf(node), `, ${className}`);
        else if (!replaced) put(startOf(node), endOf(node), className);
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
        else if (unused) put(startOf(node.id), endOf(node.id), `{ ${className} }`);
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
        if (replaced || unused) put(startOf(property), endOf(property), className);
        else put(endOf(property), endOf(property), `, ${className}`);
      }
    }
  }
}

/** Removes an import of an instance: its name, or the whole statement. */
export function removeLink({ module, node }: Link): void {
  const statement = importOf(module, node);
  if (!statement) return;
  const { specifiers } = statement;
  const index = specifiers.findIndex((one) => one === node);
  const [before, next] = [specifiers[index - 1], specifiers[index + 1]];
  const remove = (start: number, end: number): void => {
    module.edits.push({ start, end, pieces: [] });
  };
  const isNamed = (one?: Node): boolean => one?.type === 'ImportSpecifier';
  if (!before && !next) {
    const end = /^[ \t]*\r?\n/.exec(module.source.slice(endOf(statement)))?.[0].length ?? 0;
    remove(startOf(statement), endOf(statement) + end);
  } else if (!isNamed(node)) remove(startOf(node), module.source.indexOf('{', endOf(node)));
  else if (isNamed(before)) remove(before ? endOf(before) : 0, endOf(node));
  else if (next) remove(startOf(node), startOf(next));
  // The name is the only one in its braces.
  else if (before) remove(endOf(before), module.source.indexOf('}', endOf(node)) + 1);
}

// Turns `import api from` into `import api, { ApiEndpoint } from`.
function addSpecifier(module: Module, node: Node, className: string): void {
  const statement = importOf(module, node);
  if (!statement) return;
  const named = statement.specifiers.find(({ type }) => type === 'ImportSpecifier');
  if (named) module.edits.push(insertion(startOf(named), `${className}, `));
  else if (statement.specifiers.length === 1)
    module.edits.push(insertion(endOf(node), `, { ${className} }`));
}

// Turns `import api from` into `import { ApiEndpoint } from`.
function replaceDefault(module: Module, node: Node, className: string): void {
  const statement = importOf(module, node);
  const named = statement?.specifiers.find(({ type }) => type === 'ImportSpecifier');
  const end = named ? startOf(named) : endOf(node);
  const text = named ? `{ ${className}, ` : `{ ${className} }`;
  if (named || statement?.specifiers.length === 1)
    module.edits.push({ start: startOf(node), end, pieces: [text] });
}

// Exports the class by its name after `export default api`, in a module that imports `api`.
function addExport(module: Module, node: Node, className: string): void {
  const statement = module.ast.program.body.find(
    (one) => one.type === 'ExportDefaultDeclaration' && one.declaration === node,
  );
  if (!statement) return;
  const { newline, semicolon } = module.style;
  const text = `${newline}${topIndent(module)}export { ${className} }${semicolon}`;
  module.edits.push(insertion(endOf(statement), text));
}

function importOf({ ast }: Module, node: Node): ImportDeclaration | undefined {
  for (const statement of ast.program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    if (statement.specifiers.some((specifier) => specifier === node)) return statement;
  }
  return undefined;
}

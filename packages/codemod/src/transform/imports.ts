import type { Node, Statement, VariableDeclaration } from '@babel/types';
import { requiredModule, specifierName } from './clients.js';
import { insertion } from './edits.js';
import { isCommonJs, prologueEnd, sourceOf } from './hoist.js';
import { endOf, type Module, type RestitchName, startOf, usedAround } from './module.js';
import { quoted } from './style.js';
import { isKey, walk } from './walk.js';
import { topIndent } from './construct.js';

/** Returns true if a name is still used after all nodes in `consumed` are removed. */
export function isUsed(
  module: Module,
  name: string,
  consumed: ReadonlySet<Node>,
  except: Node,
): boolean {
  if (usedAround(module, name)) return true;
  const found: Node[] = [];
  walk(module.ast.program, (node, parent) => {
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return;
    if (node.name !== name || consumed.has(node)) return;
    if (startOf(node) >= startOf(except) && endOf(node) <= endOf(except)) return;
    if (!isKey(node, parent)) found.push(node);
  });
  if (found.length === 0) return false;
  const shadows = shadowed(module, name);
  return found.some((node) => !shadows.has(node));
}

// Returns the nodes in which a name means a variable of an inner scope.
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

/**
 * Removes unused imports of axios and adds the imports of restitch. Returns the removed statements.
 */
export function writeImports(
  module: Module,
  needs: ReadonlySet<RestitchName>,
  consumed: ReadonlySet<Node>,
): Set<Node> {
  const removed = new Set<Node>();
  const { body } = module.ast.program;
  if (needs.has('axiosEndpoint')) writeBridgeImport(module);
  const existing = body.find(
    (one) => one.type === 'ImportDeclaration' && one.source.value === 'restitch',
  );
  const present = new Set<string>();
  if (existing?.type === 'ImportDeclaration') {
    for (const one of existing.specifiers)
      if (one.type === 'ImportSpecifier') present.add(specifierName(one.imported));
  }
  let wanted = [...needs]
    .filter((name) => name !== 'axiosEndpoint' && !present.has(name))
    .sort(byName);
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
    const removal = removalOf(module, statement, consumed);
    if (!removal) continue;
    if (removal === 'all') {
      const end = text ? endOf(statement) : lineAfter(module, statement);
      module.edits.push({ start: startOf(statement), end, pieces: [text] });
      if (!text) removed.add(statement);
      text = '';
    } else module.edits.push(...removal);
  }
  if (!text) return removed;
  const of = (name: string) => body.find((one) => sourceOf(one) === name);
  const neighbor = of('axios');
  const at = neighbor ? endOf(neighbor) : prologueEnd(module);
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

function writeBridgeImport(module: Module): void {
  const { body } = module.ast.program;
  if (body.some((one) => sourceOf(one) === BRIDGE)) return;
  const neighbor = body.find((one) => sourceOf(one) === 'axios');
  const at = neighbor ? endOf(neighbor) : prologueEnd(module);
  const text = importText(module, ['axiosEndpoint'], BRIDGE);
  const { newline } = module.style;
  const indent = topIndent(module);
  module.edits.unshift(
    insertion(at, at === 0 ? `${text}${newline}` : `${newline}${indent}${text}`),
  );
}

const BRIDGE = 'restitch/axios';

function importText(module: Module, names: readonly RestitchName[], source = 'restitch'): string {
  const [only] = names;
  const isType = names.length === 1 && only === 'RestGenerics';
  const list = names
    .map((name) => imported(module, name))
    .join(', ')
    .replace(isType ? /^type / : /^$/, '');
  const from = quoted(source, module.style);
  const { semicolon } = module.style;
  return isCommonJs(module)
    ? `const { ${list} } = require(${from})${semicolon}`
    : `import ${isType ? 'type ' : ''}{ ${list} } from ${from}${semicolon}`;
}

// Removes one declarator, as in `const axios = require('axios'), fs = require('fs')`.
function removalAmong(
  module: Module,
  { declarations }: VariableDeclaration,
  consumed: ReadonlySet<Node>,
): { start: number; end: number; pieces: string[] }[] | undefined {
  const index = declarations.findIndex(({ init }) => requiredModule(init) === 'axios');
  const found = declarations[index];
  if (found?.id.type !== 'Identifier') return undefined;
  if (!isFreed(module, found.id.name, consumed, found)) return undefined;
  const next = declarations[index + 1];
  const before = declarations[index - 1];
  const start = next || !before ? startOf(found) : endOf(before);
  const end = next ? startOf(next) : endOf(found);
  const hasComment = module.comments.some(
    (comment) => (comment.start ?? 0) >= start && (comment.start ?? 0) < end,
  );
  return hasComment ? undefined : [{ start, end, pieces: [] }];
}

// Returns true if the conversion removed the last use of a name. A name that was unused before
// stays, unless its whole import is removed.
function isFreed(
  module: Module,
  name: string,
  consumed: ReadonlySet<Node>,
  statement: Node,
): boolean {
  return !isUsed(module, name, consumed, statement) && isUsed(module, name, NONE, statement);
}

const NONE: ReadonlySet<Node> = new Set();

// Returns the part of an axios import to remove: the whole import, or single names.
function removalOf(
  module: Module,
  statement: Statement,
  consumed: ReadonlySet<Node>,
): 'all' | { start: number; end: number; pieces: string[] }[] | undefined {
  if (statement.type === 'VariableDeclaration' && statement.declarations.length > 1)
    return removalAmong(module, statement, consumed);
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
    return names.every((name) => name && !isUsed(module, name, consumed, statement)) &&
      names.some((name) => isFreed(module, name, consumed, statement))
      ? 'all'
      : undefined;
  }
  if (statement.type !== 'ImportDeclaration' || statement.specifiers.length === 0) return undefined;
  const unused = statement.specifiers.filter(
    (one) => !isUsed(module, one.local.name, consumed, statement),
  );
  if (!unused.some(({ local }) => isFreed(module, local.name, consumed, statement)))
    return undefined;
  if (unused.length === statement.specifiers.length) return 'all';
  const rest = statement.specifiers.filter((one) => !unused.includes(one));
  // The clause is the text between `import` and `from`.
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

// Returns the end of the text to remove: the line of a statement, and one of two empty lines around
// it.
function lineAfter({ source }: Module, statement: Statement): number {
  const end = endOf(statement);
  const rest = /^[ \t]*\r?\n/.exec(source.slice(end))?.[0];
  if (rest === undefined) return end;
  const alone = /(^|\n)[ \t]*\r?\n[ \t]*$/.test(source.slice(0, startOf(statement)));
  const empty = alone ? /^[ \t]*\r?\n/.exec(source.slice(end + rest.length))?.[0] : undefined;
  return end + rest.length + (empty?.length ?? 0);
}

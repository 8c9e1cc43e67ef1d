/** Counts the requests of an application: calls of axios, of its instances, and of what holds one. It knows nothing of the codemod. */
import { ts } from './typescript.mjs';
import { treeOf } from './files.mjs';

const METHODS = /^(get|delete|head|options|post|put|patch|request|postForm|putForm|patchForm)$/;
const INSTANCE = /^Axios(Instance|Static)$/;

/**
 * @returns The calls, each with where its client stands; and the files that export a client.
 */
export function countRequests(sources, resolve) {
  const trees = new Map();
  const exported = new Map();
  // Members that every component has, and the import that gives them where it is known.
  const held = new Map();
  const open = (path) => {
    if (!trees.has(path)) trees.set(path, treeOf(path, sources.get(path)));
    return trees.get(path);
  };
  const imports = new Map();
  // A plugin sets these members.
  if ([...sources.values()].some((text) => /['"]vue-axios['"]/.test(text)))
    held.set('$http').set('axios');
  for (const [path, text] of sources) {
    const names = [
      ...text.matchAll(/(?:from\s*|require\s*\(\s*|import\s*\(?\s*)['"]([^'"]+)['"]/g),
    ].map((match) => match[1]);
    imports.set(path, new Set(names.map((name) => resolve(name, path)).filter(Boolean)));
  }
  const results = new Map();
  let open_ = new Set([...sources].filter(([, text]) => /axios/i.test(text)).map(([path]) => path));
  while (open_.size > 0) {
    const before = new Map([...exported].map(([path, names]) => [path, names.size]));
    const heldBefore = held.size;
    for (const path of open_)
      results.set(path, analyze(path, open(path), { exported, held, resolve }));
    const grown = [...exported]
      .filter(([path, names]) => before.get(path) !== names.size)
      .map(([path]) => path);
    const again =
      held.size > heldBefore
        ? [...sources]
            .filter(([, text]) => [...held.keys()].some((name) => text.includes(name)))
            .map(([path]) => path)
        : [];
    open_ = new Set([
      ...[...sources.keys()].filter((path) => grown.some((one) => imports.get(path).has(one))),
      ...again,
    ]);
  }
  const calls = [...results].flatMap(([path, found]) => found.map((call) => ({ path, ...call })));
  return { calls, exporting: new Set(exported.keys()), held };
}

function analyze(path, tree, { exported, held, resolve }) {
  const clients = new Map();
  const members = new Set();
  const scopeOf = (node, name) => {
    for (let at = node.parent; at; at = at.parent) if (namesIn(at).has(name)) return at;
    return undefined;
  };
  const isNamed = (node) => clients.get(scopeOf(node, node.text))?.has(node.text) ?? false;
  const isClient = (node) => {
    if (!node) return false;
    if (ts.isIdentifier(node))
      return isNamed(node) || (node.text === 'axios' && !scopeOf(node, 'axios'));
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isSatisfiesExpression?.(node)
    )
      return isClient(node.expression);
    if (ts.isBinaryExpression(node))
      return (
        /^(\|\||\?\?)$/.test(node.operatorToken.getText(tree)) &&
        (isClient(node.left) || isClient(node.right))
      );
    if (ts.isCallExpression(node)) {
      const [name] = node.arguments;
      const isLoad =
        node.expression.getText(tree) === 'require' ||
        node.expression.kind === ts.SyntaxKind.ImportKeyword;
      if (isLoad && name && ts.isStringLiteral(name))
        return name.text === 'axios' || has(resolve(name.text, path), 'module.exports');
      return (
        ts.isPropertyAccessExpression(node.expression) &&
        node.expression.name.text === 'create' &&
        isClient(node.expression.expression)
      );
    }
    if (!ts.isPropertyAccessExpression(node)) return false;
    const { name, expression } = node;
    if (name.text === 'default' && isClient(expression)) return true;
    if (name.text === 'axios' && /^(window|globalThis|global|self)$/.test(expression.getText(tree)))
      return true;
    return (
      (members.has(name.text) && expression.kind === ts.SyntaxKind.ThisKeyword) ||
      held.has(name.text)
    );
  };
  const has = (file, name) =>
    exported.get(file)?.has(name) ||
    (name === 'default' && exported.get(file)?.has('module.exports'));
  const add = (scope, name) => clients.set(scope, (clients.get(scope) ?? new Set()).add(name));
  const give = (name) => exported.set(path, (exported.get(path) ?? new Set()).add(name));
  const origins = new Map();
  const hold = (name, value) => {
    if (!name.startsWith('$')) members.add(name);
    else if (!held.get(name))
      held.set(name, value && ts.isIdentifier(value) ? origins.get(value.text) : undefined);
  };
  const isTyped = (type) =>
    type &&
    ts.isTypeReferenceNode(type) &&
    INSTANCE.test(type.typeName.getText(tree).replace(/^.*\./, ''));
  const learn = (node) => {
    if (ts.isImportDeclaration(node) && node.importClause && !node.importClause.isTypeOnly) {
      const from = node.moduleSpecifier.text;
      const target = resolve(from, path);
      const { name, namedBindings } = node.importClause;
      if (name && (from === 'axios' || has(target, 'default'))) {
        add(tree, name.text);
        if (target) origins.set(name.text, { file: target, name: 'default' });
      }
      if (namedBindings && ts.isNamespaceImport(namedBindings) && from === 'axios')
        add(tree, namedBindings.name.text);
      if (namedBindings && ts.isNamedImports(namedBindings))
        for (const one of namedBindings.elements) {
          const wanted = (one.propertyName ?? one.name).text;
          if (from === 'axios' ? /^(default|axios)$/.test(wanted) : has(target, wanted)) {
            add(tree, one.name.text);
            if (target) origins.set(one.name.text, { file: target, name: wanted });
          }
        }
    }
    if (
      (ts.isVariableDeclaration(node) || ts.isParameter(node)) &&
      ts.isIdentifier(node.name) &&
      (isClient(node.initializer) || isTyped(node.type))
    ) {
      add(scopeOf(node.name, node.name.text), node.name.text);
      if (ts.isParameter(node) && node.modifiers?.length) hold(node.name.text);
      if (node.parent.parent?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
        give(node.name.text);
    }
    if (
      ts.isVariableDeclaration(node) &&
      ts.isObjectBindingPattern(node.name) &&
      node.initializer &&
      ts.isCallExpression(node.initializer)
    ) {
      const [name] = node.initializer.arguments;
      if (
        node.initializer.expression.getText(tree) === 'require' &&
        name &&
        ts.isStringLiteral(name)
      )
        for (const one of node.name.elements)
          if (has(resolve(name.text, path), (one.propertyName ?? one.name).getText(tree)))
            add(tree, one.name.getText(tree));
    }
    if (ts.isPropertyDeclaration(node) && (isClient(node.initializer) || isTyped(node.type)))
      hold(node.name.getText(tree));
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      isClient(node.right)
    ) {
      const { left } = node;
      if (left.getText(tree) === 'module.exports') give('module.exports');
      else if (
        ts.isPropertyAccessExpression(left) &&
        /^(module\.)?exports$/.test(left.expression.getText(tree))
      )
        give(left.name.text);
      else if (ts.isPropertyAccessExpression(left)) hold(left.name.text, node.right);
      else if (ts.isIdentifier(left) && scopeOf(left, left.text))
        add(scopeOf(left, left.text), left.text);
    }
    if (
      ts.isBinaryExpression(node) &&
      node.left.getText(tree) === 'module.exports' &&
      ts.isObjectLiteralExpression(node.right)
    )
      for (const one of node.right.properties)
        if (isClient(ts.isShorthandPropertyAssignment(one) ? one.name : one.initializer))
          give(one.name.getText(tree));
    if (ts.isExportAssignment(node) && isClient(node.expression)) give('default');
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) {
      const target = node.moduleSpecifier && resolve(node.moduleSpecifier.text, path);
      if (!node.exportClause)
        for (const name of exported.get(target) ?? []) if (name !== 'default') give(name);
      if (node.exportClause && ts.isNamedExports(node.exportClause))
        for (const one of node.exportClause.elements) {
          const local = one.propertyName ?? one.name;
          const isAxios =
            node.moduleSpecifier?.text === 'axios' && /^(default|axios)$/.test(local.text);
          if (
            node.moduleSpecifier
              ? isAxios || has(target, local.text)
              : clients.get(tree)?.has(local.text)
          )
            give(one.name.text);
        }
    }
    ts.forEachChild(node, learn);
  };
  for (let size = -1; size !== sizeOf(clients, members);) {
    size = sizeOf(clients, members);
    learn(tree);
  }
  const calls = [];
  const visit = (node, above) => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isMethod =
        (ts.isPropertyAccessExpression(expression) && METHODS.test(expression.name.text)) ||
        (ts.isElementAccessExpression(expression) &&
          !ts.isNumericLiteral(expression.argumentExpression));
      const client =
        isMethod && isClient(expression.expression)
          ? expression.expression
          : isClient(expression)
            ? expression
            : undefined;
      if (client && !isLoadCall(expression)) {
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
        calls.push({
          line: line + 1,
          start: client.getStart(tree),
          end: client.getEnd(),
          isRepeat: above,
        });
      }
    }
    const inside =
      above ||
      (ts.isCallExpression(node) &&
        /\.interceptors\b[^]*\.use$/.test(node.expression.getText(tree)));
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(tree, false);
  return calls;
}

const isLoadCall = (node) => node.kind === ts.SyntaxKind.ImportKeyword;
const sizeOf = (clients, members) =>
  [...clients.values()].reduce((sum, names) => sum + names.size, members.size);

const scopes = new WeakMap();

// The declarations of a scope itself.
function namesIn(node) {
  const known = scopes.get(node);
  if (known) return known;
  const names = new Set();
  scopes.set(node, names);
  const bind = (name) => {
    if (!name) return;
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const one of name.elements) if (!ts.isOmittedExpression(one)) bind(one.name);
  };
  if (ts.isFunctionLike(node)) for (const { name } of node.parameters) bind(name);
  if (ts.isCatchClause(node)) bind(node.variableDeclaration?.name);
  if (ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node))
    for (const one of node.initializer?.declarations ?? []) bind(one.name);
  if (
    !ts.isBlock(node) &&
    !ts.isSourceFile(node) &&
    !ts.isModuleBlock(node) &&
    !ts.isCaseClause(node)
  )
    return names;
  for (const statement of node.statements) {
    if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations) bind(one.name);
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      bind(statement.name);
    if (ts.isImportDeclaration(statement)) {
      bind(statement.importClause?.name);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) bind(bindings.name);
      else for (const { name } of bindings?.elements ?? []) bind(name);
    }
  }
  return names;
}

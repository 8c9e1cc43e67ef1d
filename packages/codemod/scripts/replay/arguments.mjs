/** Makes up arguments for a function, from the names of its parameters and from what it does with them. */
import { ts } from './typescript.mjs';
import { sample } from './world.mjs';

const cache = new Map();

/** The parameters of a function as its text shows them. */
export function parametersOf(run) {
  const text = Function.prototype.toString.call(run);
  if (!cache.has(text)) cache.set(text, read(text));
  return cache.get(text);
}

function read(text) {
  const attempts = [`(${text})`, `({ ${text} })`, `(class { ${text} })`];
  for (const attempt of attempts) {
    const tree = ts.createSourceFile(
      'f.js',
      attempt,
      ts.ScriptTarget.Latest,
      true,
      ts.ScriptKind.JS,
    );
    if (tree.parseDiagnostics.length > 0) continue;
    let found;
    const visit = (node) => {
      if (!found && ts.isFunctionLike(node)) found = node;
      else ts.forEachChild(node, visit);
    };
    visit(tree);
    if (found) return found.parameters.map((one) => parameter(one, found, tree));
  }
  return [];
}

function parameter(node, owner, tree) {
  if (node.dotDotDotToken) return { rest: true };
  if (ts.isIdentifier(node.name))
    return { name: node.name.text, use: usesOf(node.name.text, owner.body, tree) };
  if (ts.isObjectBindingPattern(node.name))
    return {
      members: node.name.elements.map((one) => ({
        key: (one.propertyName ?? one.name).getText(tree),
        use: ts.isIdentifier(one.name) ? usesOf(one.name.text, owner.body, tree) : {},
      })),
    };
  return { name: 'list', use: {} };
}

function usesOf(name, body, tree) {
  const use = { members: new Map(), called: false, text: false };
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text === name) {
      const { parent } = node;
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
        const isCalled = ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
        use.members.set(parent.name.text, isCalled || use.members.get(parent.name.text));
      } else if (ts.isCallExpression(parent) && parent.expression === node) use.called = true;
      else if (
        ts.isTemplateSpan(parent) ||
        (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.PlusToken) ||
        (ts.isCallExpression(parent) && /encodeURI/.test(parent.expression.getText(tree)))
      )
        use.text = true;
    }
    ts.forEachChild(node, visit);
  };
  if (body) visit(body);
  return use;
}

/** The arguments for a function; `world` gives stubs. */
export function argumentsFor(parameters, world) {
  return parameters.flatMap((one) => {
    if (one.rest) return [];
    if (one.members)
      return [
        Object.fromEntries(
          one.members.map(({ key: name, use }) => [name, valueOf(name, use, world)]),
        ),
      ];
    return [valueOf(one.name, one.use, world)];
  });
}

function valueOf(name, use, world) {
  if (use.called) return world.stub(`arg ${name}`);
  const methods = [...(use.members ?? [])].filter(([, isCalled]) => isCalled).map(([one]) => one);
  const isList = methods.some((one) =>
    /^(map|forEach|filter|join|push|slice|find|some|every|reduce|includes)$/.test(one),
  );
  if (isList) return ['one', 'two'];
  if (
    methods.some((one) =>
      /^(trim|split|replace|toLowerCase|toUpperCase|startsWith|endsWith|toString)$/.test(one),
    )
  )
    return `${name}-1`;
  if (methods.length > 0) return world.stub(`arg ${name}`);
  const members = [...(use.members ?? [])].map(([one]) => one).filter((one) => one !== 'length');
  if (members.length > 0) {
    const base = sample('data');
    return {
      ...base,
      ...Object.fromEntries(
        members.map((one) => [
          one,
          globalThis.__held?.[one] ?? sample(one, 1) ?? world.stub(`arg ${name}.${one}`),
        ]),
      ),
    };
  }
  if (use.text) {
    const value = sample(name);
    return typeof value === 'number' ? value : `${name}-1`;
  }
  return sample(name) ?? world.stub(`arg ${name}`);
}

import type { Class, Node, Statement } from '@babel/types';
import { dotted, type Instance, importsOf, specifierName, type Use } from './clients.js';
import { endOf, type Module, textOf } from './module.js';

/**
 * A class such as `class ApiEndpoint extends axiosEndpoint(api) {}`, from an earlier conversion.
 */
export interface BridgeClass {
  readonly name: string;
  /** The end of the statement that declares the class. */
  readonly end: number;
}

/** Returns the top-level class of a module, if one extends `axiosEndpoint(client)`. */
export function bridgeClassIn(module: Module, client: string): BridgeClass | undefined {
  for (const statement of module.ast.program.body) {
    const declared = classOf(statement);
    const base = declared?.superClass;
    if (!declared?.id || base?.type !== 'CallExpression') continue;
    const [argument] = base.arguments;
    const isBridge = /(^|\.)axiosEndpoint$/.test(dotted(base.callee));
    if (isBridge && argument && textOf(module, argument) === client)
      return { name: declared.id.name, end: endOf(statement) };
  }
  return undefined;
}

function classOf(statement: Statement): Class | undefined {
  const inner: Node | null | undefined =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : statement;
  return inner?.type === 'ClassDeclaration' ? inner : undefined;
}

/**
 * Returns the class that extends `axiosEndpoint(instance)`. Undefined if another module with the
 * instance cannot import the class.
 */
export function bridgeClassOf(
  { module, variable, links }: Instance,
  uses: readonly Use[],
): BridgeClass | undefined {
  const found = bridgeClassIn(module, variable);
  if (!found) return undefined;
  const { name } = found;
  const passesOn = links.every(({ kind, node, module: at }) => {
    if (kind !== 'reexport') return true;
    return at.ast.program.body.some(
      (one) =>
        one.type === 'ExportNamedDeclaration' &&
        one.specifiers.some((specifier) => specifier === node) &&
        one.specifiers.some((specifier) => specifierName(specifier.exported) === name),
    );
  });
  const isFree = uses.every(
    ({ module: at }) => at === module || !at.names.has(name) || hasClass(at, name),
  );
  const isExported = links.every(({ module: at }) => at === module) || exportsName(module, name);
  return passesOn && isFree && isExported ? found : undefined;
}

/** Returns true if a module imports a class without an alias. */
export const hasClass = (module: Module, name: string): boolean =>
  importsOf(module).some((one) => one.binding.identifier.name === name && one.name === name);

function exportsName({ ast, source }: Module, name: string): boolean {
  return (
    ast.program.body.some(
      (one) =>
        one.type === 'ExportNamedDeclaration' &&
        (classOf(one)?.id?.name === name ||
          one.specifiers.some((specifier) => specifierName(specifier.exported) === name)),
    ) ||
    new RegExp(`exports\\.${name}\\s*=|module\\.exports\\s*=\\s*\\{[^}]*\\b${name}\\b`).test(source)
  );
}

import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import traverseModule, { type NodePath } from '@babel/traverse';
import type { File, Program } from '@babel/types';

// A CommonJS module: Node gives its exports as the default import, bundlers the function.
const traverse = (traverseModule.default ?? traverseModule) as typeof traverseModule.default;

// `<any>x` is legal in .ts and a tag in .tsx, so the extension decides and nothing is tried out.
function pluginsFor(extension: string): ParserPlugin[] {
  if (/^[mc]?ts$/.test(extension)) return ['typescript'];
  if (extension === 'tsx') return ['typescript', 'jsx'];
  return ['jsx', 'flow'];
}

const common: ParserOptions = {
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  attachComment: false,
};

/** Returns true if the extension is one of TypeScript's. */
export const isTypeScript = (extension: string): boolean => /^[mc]?tsx?$/.test(extension);

/**
 * Parses a source by its extension.
 *
 * @throws SyntaxError when it cannot be parsed.
 */
export function parseOnly(source: string, extension: string): File {
  const plugins = pluginsFor(extension);
  // Both kinds of decorators; and code that is no module, which may use syntax that strict mode
  // forbids.
  const attempts: ParserOptions[] = [
    { sourceType: 'module', plugins: [...plugins, 'decorators-legacy'] },
    {
      sourceType: 'module',
      plugins: [...plugins, ['decorators', { decoratorsBeforeExport: true }]],
    },
    { sourceType: 'script', plugins: [...plugins, 'decorators-legacy'] },
  ];
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      return parse(source, { ...common, ...attempt });
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** The program with its scopes. */
export function programOf(ast: File): NodePath<Program> {
  let found: NodePath<Program> | undefined;
  traverse(ast, {
    Program(path) {
      found = path;
      path.stop();
    },
  });
  // A file always has a program.
  return found as NodePath<Program>;
}

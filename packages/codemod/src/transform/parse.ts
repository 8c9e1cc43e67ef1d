import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import traverseModule, { type NodePath } from '@babel/traverse';
import type { File, Program } from '@babel/types';

// The default import is the exports object in Node, and the `traverse` function in bundlers.
const traverse = (traverseModule.default ?? traverseModule) as typeof traverseModule.default;

// The extension decides, because `<any>x` is a cast in `.ts` and a tag in `.tsx`.
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

export const isTypeScript = (extension: string): boolean => /^[mc]?tsx?$/.test(extension);

/**
 * Parses a source by its extension.
 *
 * @throws SyntaxError when it cannot be parsed.
 */
export function parseOnly(source: string, extension: string): File {
  const plugins = pluginsFor(extension);
  // The attempts cover both kinds of decorators. They also cover scripts, which may use syntax that
  // strict mode forbids.
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

/** Returns the program with its scopes. */
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

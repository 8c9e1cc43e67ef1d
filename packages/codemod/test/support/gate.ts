import { parse, type ParserPlugin } from '@babel/parser';
import traverseModule from '@babel/traverse';
import { type File, traverseFast } from '@babel/types';

// Node gives the exports of a CommonJS module as its default, Vitest the function.
const traverse = (traverseModule.default ?? traverseModule) as typeof traverseModule.default;

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;

/** The scripts of a file with their extensions. */
function scripts(path: string, source: string): [source: string, extension: string][] {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  if (!/^(vue|svelte)$/.test(extension)) return [[source, extension]];
  return [...source.matchAll(SCRIPT)].map(([, attributes = '', text = '']) => [
    text,
    /lang="(\w+)"/.exec(attributes)?.[1] ?? 'js',
  ]);
}

function parsed(source: string, extension: string): File {
  const plugins: ParserPlugin[] = /^[mc]?ts$/.test(extension)
    ? ['typescript', 'decorators-legacy']
    : extension === 'tsx'
      ? ['typescript', 'jsx', 'decorators-legacy']
      : ['jsx', 'flow', 'decorators-legacy'];
  return parse(source, {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    plugins,
  });
}

/** Facts about a file that are visible without running it. */
export interface Facts {
  /** Names that are used and nowhere declared. */
  readonly free: ReadonlySet<string>;
  /** The texts of the comments, sorted. */
  readonly comments: readonly string[];
  readonly newlines: ReadonlySet<string>;
}

/**
 * Looks at a file without the help of what is tested.
 *
 * @throws SyntaxError when it does not parse.
 */
export function factsOf(path: string, source: string): Facts {
  const free = new Set<string>();
  const comments: string[] = [];
  for (const [text, extension] of scripts(path, source)) {
    const ast = parsed(text, extension);
    const types = new Set<string>();
    const named = new Set<string>();
    traverseFast(ast, (node) => {
      // The scopes know no types of parameters.
      if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier')
        named.add(node.typeName.name);
      if (node.type === 'TSTypeParameter') types.add(node.name);
      if (/^(TS)?(TypeAlias|Interface)Declaration$|^TypeAlias$/.test(node.type)) {
        const { id } = node as { id?: { name?: string } };
        if (id?.name) types.add(id.name);
      }
    });
    traverse(ast, {
      Program(program) {
        const { globals } = program.scope as unknown as { globals: Record<string, unknown> };
        const isBound = (name: string): boolean => program.scope.hasBinding(name, true);
        const unbound = [...named].filter((name) => !isBound(name));
        for (const name of [...Object.keys(globals), ...unbound])
          if (!types.has(name)) free.add(name);
      },
    });
    for (const { value } of ast.comments ?? []) comments.push(value);
  }
  const newlines = new Set(source.match(/\r?\n/g));
  return { free, comments: comments.sort(), newlines };
}

/** Names that the conversion may use without declaring them: every platform has them. */
export const PLATFORM: ReadonlySet<string> = new Set([
  'undefined',
  'HeadersInit',
  'RequestInit',
  'Record',
  'require',
  'module',
  'btoa',
  'String',
  'TextEncoder',
  'Promise',
  'ReturnType',
]);

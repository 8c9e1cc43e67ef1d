/** The sources of an application, and how its imports are resolved: without the codemod, which is judged by them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from './typescript.mjs';

const SOURCE = /\.(js|jsx|ts|tsx|mjs|cjs|mts|cts|vue|svelte)$/;
const IGNORED = /^(node_modules|\.git|dist|build|coverage)$/;
const ENDS = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.vue', '.svelte'];

/** Minified files are bundles, not sources to convert. */
const isMinified = (text) => text.length > 30_000 && text.length / text.split('\n').length > 400;

/** Every source below a folder, by absolute path. */
export function sourcesOf(folder) {
  const found = new Map();
  const visit = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !IGNORED.test(entry.name)) visit(path);
      if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
      if (entry.name.endsWith('.d.ts') || entry.name.endsWith('.min.js')) continue;
      const text = readFileSync(path, 'utf8');
      if (!isMinified(text)) found.set(path, text);
    }
  };
  visit(folder);
  return found;
}

const SCRIPT = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/script\s*>/i;

/** The script of a file, with spaces for all that stands before it, so that places stay the same. */
export function scriptOf(path, text) {
  if (!/\.(vue|svelte)$/.test(path)) return { text, end: path.slice(path.lastIndexOf('.') + 1) };
  const match = SCRIPT.exec(text.replace(/<!--[\s\S]*?-->/g, (one) => ' '.repeat(one.length)));
  if (!match) return { text: '', end: 'js' };
  const start = match.index + match[0].indexOf('>', 7 + match[1].length) + 1;
  const lang = /\blang\s*=\s*["']?(\w+)/.exec(match[1])?.[1] ?? 'js';
  const before = text.slice(0, start).replace(/[^\n]/g, ' ');
  return { text: before + text.slice(start, start + match[2].length), end: lang };
}

const KINDS = {
  tsx: ts.ScriptKind.TSX,
  ts: ts.ScriptKind.TS,
  mts: ts.ScriptKind.TS,
  cts: ts.ScriptKind.TS,
};

/** The syntax tree of a file. */
export function treeOf(path, text) {
  const script = scriptOf(path, text);
  const kind = KINDS[script.end] ?? ts.ScriptKind.JSX;
  return ts.createSourceFile(path, script.text, ts.ScriptTarget.Latest, true, kind);
}

/** Finds the file that an import names. */
export function resolverFor(root, has) {
  const configs = new Map();
  const configAt = (folder) => {
    if (!configs.has(folder)) {
      const names = ['tsconfig.json', 'tsconfig.app.json', 'jsconfig.json'].map((name) =>
        join(folder, name),
      );
      const path = names.find(
        (name) =>
          ts.sys.fileExists(name) &&
          ts.readConfigFile(name, ts.sys.readFile).config?.compilerOptions?.paths,
      );
      const options = path && ts.readConfigFile(path, ts.sys.readFile).config.compilerOptions;
      configs.set(
        folder,
        options && { base: join(folder, options.baseUrl ?? '.'), paths: options.paths },
      );
    }
    return configs.get(folder);
  };
  const tried = (path) => {
    const bare = path.replace(/\.[mc]?jsx?$/, '');
    const all = [
      path,
      ...ENDS.map((end) => path + end),
      ...ENDS.map((end) => bare + end),
      ...ENDS.map((end) => join(path, `index${end}`)),
    ];
    return all.find(has);
  };
  return (name, from) => {
    const start = dirname(from);
    if (name.startsWith('.')) return tried(join(start, name));
    for (let folder = start; folder.startsWith(root); folder = dirname(folder)) {
      const config = configAt(folder);
      for (const [pattern, targets] of Object.entries(config?.paths ?? {})) {
        const [head, tail] = pattern.split('*');
        const fits =
          tail === undefined ? name === head : name.startsWith(head) && name.endsWith(tail);
        if (!fits) continue;
        const rest = name.slice(head.length, name.length - (tail?.length ?? 0));
        for (const target of targets) {
          const found = tried(join(config.base, target.replace('*', rest)));
          if (found) return found;
        }
      }
      const rest = /^(?:@|~|@@)\/(.*)/.exec(name)?.[1] ?? /^((?:src|app)\/.*)/.exec(name)?.[1];
      const found = rest && (tried(join(folder, 'src', rest)) ?? tried(join(folder, rest)));
      if (found) return found;
    }
    return undefined;
  };
}

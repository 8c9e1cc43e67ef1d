/** Makes one script of a file, its clients, axios and restitch. All else that it imports becomes a stub. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { scriptOf, treeOf } from './files.mjs';
import { ts } from './typescript.mjs';

const workspace = fileURLToPath(new URL('../../../..', import.meta.url));
const require = createRequire(import.meta.url);
// One build for `import` and `require`: they are one axios for applications, too.
const AXIOS = join(workspace, 'node_modules/axios/dist/browser/axios.cjs');
// Pure ones, without which bodies and queries would be stubs.
const KEPT = /^qs$/;

const LOADERS = { ts: 'ts', mts: 'ts', cts: 'ts', tsx: 'tsx' };

/** The imports of a file from a module, by name. */
function importedNames(path, specifier) {
  const text = readFileSync(path, 'utf8');
  const names = new Set();
  const tree = treeOf(path, text);
  const visit = (node) => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier?.text === specifier
    ) {
      const clause = ts.isImportDeclaration(node) ? node.importClause : node;
      if (clause?.name) names.add('default');
      const bindings = clause?.namedBindings ?? clause?.exportClause;
      for (const one of bindings?.elements ?? []) names.add((one.propertyName ?? one.name).text);
      if (bindings && ts.isNamespaceImport(bindings))
        for (const [, name] of text.matchAll(new RegExp(`\\b${bindings.name.text}\\.(\\w+)`, 'g')))
          names.add(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...names];
}

const topNames = (path, text) =>
  treeOf(path, text).statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) &&
      statement.name
      ? [statement.name.text]
      : [];
  });

/** The code of a file, with all its top-level names given to `__expose`. */
function codeOf(path, isEntry, original) {
  const text = readFileSync(path, 'utf8');
  const { text: script, end } = scriptOf(path, text);
  const names = isEntry ? topNames(original, readFileSync(original, 'utf8')) : [];
  const given = names.map(
    (name) => `${name}: () => (typeof ${name} === 'undefined' ? undefined : ${name})`,
  );
  const tail = isEntry ? `\n;globalThis.__expose({ ${given.join(', ')} });` : '';
  return { contents: script.trimEnd() + tail, loader: LOADERS[end] ?? 'jsx' };
}

/**
 * @param file The file to be run; `original` is the same before anything was changed.
 * @param held Members that every component has, with the file that exports them.
 * @param clients The files that export clients: they are run, too.
 */
export async function bundle({ file, original, clients, held, resolve }) {
  const members = held.map(
    ([name, from]) =>
      `${JSON.stringify(name)}: require(${JSON.stringify(`__held:${from.file}`)})[${JSON.stringify(from.name)}]`,
  );
  const plugin = {
    name: 'replay',
    setup(context) {
      context.onResolve({ filter: /.*/ }, (args) => {
        const { path, importer, kind, namespace } = args;
        if (kind === 'entry-point') return { path, namespace: 'entry' };
        if (
          args.pluginData === 'plain' ||
          importer.startsWith(join(workspace, 'node_modules')) ||
          importer.startsWith(join(workspace, 'packages/restitch'))
        )
          return undefined;
        if (path.startsWith('__held:')) return { path: path.slice(7), namespace: 'real' };
        if (path === '__file') return { path: file, namespace: 'real' };
        if (path === '__axios' || path === 'axios' || path.startsWith('axios/dist'))
          return { path: AXIOS };
        if (/^restitch(\/|$)/.test(path))
          return context.resolve(path, {
            resolveDir: join(workspace, 'packages/codemod'),
            kind: 'import-statement',
            pluginData: 'plain',
          });
        if (namespace === 'real') {
          const target = resolve(path, importer);
          if (target && clients.has(target)) return { path: target, namespace: 'real' };
          if (KEPT.test(path)) {
            try {
              return { path: require.resolve(path, { paths: [workspace] }) };
            } catch {}
          }
          const isWhole = kind === 'require-call' || kind === 'dynamic-import';
          // Each importer has a stub of its own, with the names that it imports.
          return {
            path: JSON.stringify([path, isWhole ? undefined : importedNames(importer, path)]),
            namespace: 'stub',
          };
        }
        return undefined;
      });
      context.onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents: `import axios from '__axios'; globalThis.__prepare(axios); globalThis.__held = { ${members.join(', ')} }; globalThis.__done(require('__file'));`,
        resolveDir: workspace,
      }));
      context.onLoad({ filter: /.*/, namespace: 'real' }, ({ path }) => ({
        ...codeOf(path, path === file, original),
        resolveDir: dirname(path),
      }));
      context.onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => {
        const [name, names] = JSON.parse(path);
        const whole = `globalThis.__stub(${JSON.stringify(name)})`;
        if (!names) return { contents: `module.exports = ${whole};` };
        const lines = names.map((name) =>
          name === 'default'
            ? `export default ${whole}.default;`
            : `const own_${name} = ${whole}[${JSON.stringify(name)}]; export { own_${name} as ${name} };`,
        );
        return { contents: `const all = ${whole};\n${lines.join('\n')}\nexport {};` };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'node20',
    logLevel: 'silent',
    jsx: 'transform',
    jsxFactory: '__jsx',
    jsxFragment: '__fragment',
    define: { 'import.meta.env': 'globalThis.__env', 'import.meta': 'globalThis.__meta' },
    plugins: [plugin],
  });
  return outputFiles[0].text;
}

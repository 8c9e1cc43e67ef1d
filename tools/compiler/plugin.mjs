// @ts-check
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformAsync } from '@babel/core';
import compiler from 'babel-plugin-react-compiler';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sources that must compile without exception: the binding and the demo. In tests, components do odd things on purpose. */
const strict = /^(packages\/restitch\/src\/react|examples\/tracker\/src)\//;
const compiled = /^(packages\/restitch\/(src|test)|examples\/tracker\/src)\/.*\.tsx?$/;

/** @param {string} file @returns {'jsx'[]} */
const jsxIn = (file) => (file.endsWith('x') ? ['jsx'] : []);

/** A plugin for Vite that compiles the binding, its tests and the demo. */
export function reactCompiler() {
  const api = { compiled: 0 };
  return {
    name: 'react-compiler',
    api,
    enforce: /** @type {const} */ ('pre'),
    /** @param {string} code @param {string} id */
    async transform(code, id) {
      const [filename = ''] = id.split('?');
      const file = relative(root, filename).replaceAll('\\', '/');
      if (!compiled.test(file)) return undefined;
      const settings = { panicThreshold: strict.test(file) ? 'all_errors' : 'none' };
      const result = await transformAsync(code, {
        filename,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        // Types and JSX stay for the next plugin.
        parserOpts: { plugins: ['typescript', ...jsxIn(file)] },
        plugins: [[compiler, settings]],
      });
      if (result?.code == null) return undefined;
      api.compiled += 1;
      return { code: result.code, map: result.map };
    },
  };
}

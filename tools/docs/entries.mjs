// @ts-check
/** The published entry points, read from the packages' own `exports`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} Entry
 * @property {string} name What users import, as `restitch/react`.
 * @property {string} folder The folder of its package.
 * @property {string} types Its built declarations.
 * @property {string} source
 */

/** @returns {Entry[]} */
export function entries() {
  return readdirSync(join(root, 'packages')).flatMap((directory) => {
    const folder = join(root, 'packages', directory);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
      const types = typesOf(target);
      if (types === undefined) return [];
      const entry = {
        name: join(manifest.name, path),
        folder,
        types: join(folder, types),
        source: join(folder, types.replace('dist/', 'src/').replace(/\.d\.ts$/, '.ts')),
      };
      if (!existsSync(entry.types)) {
        throw new Error(`${entry.name} is not built: npm run build`);
      }
      return [entry];
    });
  });
}

/** @param {unknown} target @returns {string | undefined} */
function typesOf(target) {
  if (typeof target !== 'object' || target === null) return undefined;
  if ('types' in target) return String(target.types);
  return Object.values(target)
    .map(typesOf)
    .find((types) => types !== undefined);
}

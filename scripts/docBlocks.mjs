// @ts-check
/** The code blocks of the documents and of the doc comments in the source. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Block
 * @property {string} file
 * @property {number} line
 * @property {string} language As the fence says: `ts`, `sh`, `text`; may be empty.
 * @property {string | undefined} name The file that the block is, from a fence such as `ts [src/api.ts]`.
 * @property {string | undefined} from The file that it is copied from: `tsx from examples/next/data/Data.tsx`.
 * @property {boolean} isProgram Whether it is a program to run: `ts run`.
 * @property {string} code
 */

export const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} folder @param {RegExp} name */
function filesIn(folder, name) {
  const from = join(root, folder);
  if (!existsSync(from)) return [];
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

const packages = () => readdirSync(join(root, 'packages')).map((name) => join('packages', name));

/** The files that are written in Markdown, from the root of the repository. */
export function documents() {
  const named = ['.', ...packages()].flatMap((folder) => [
    join(folder, 'README.md'),
    join(folder, 'AGENTS.md'),
  ]);
  return [...named.filter((file) => existsSync(join(root, file))), ...filesIn('docs', /\.md$/)];
}

/** The files whose doc comments hold examples. */
export function sources() {
  return packages().flatMap((folder) => filesIn(join(folder, 'src'), /\.tsx?$/));
}

/**
 * The code blocks of one file, in Markdown or inside doc comments.
 * @param {string} file
 * @returns {Block[]}
 */
export function blocksOf(file) {
  const inComments = !file.endsWith('.md');
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ fence: string, indent: number, block: Block } | undefined} */
  let open;
  let comment = false;
  for (const [index, raw] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    if (inComments) {
      if (/^\s*\/\*\*/.test(raw)) comment = true;
      const inside = comment;
      if (raw.includes('*/')) comment = false;
      // A block that is never closed ends with its comment.
      if (!comment) open = undefined;
      if (!inside) continue;
    }
    const text = inComments ? raw.replace(/^\s*\*( |$)/, '') : raw;
    const fence = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)(.*)$/.exec(text);
    if (!open && fence) {
      const [, indent = '', marks = '', language = '', rest = ''] = fence;
      const name = /\[(.+)\]/.exec(rest)?.[1];
      const from = /^\s+from (\S+)$/.exec(rest)?.[1];
      const isProgram = rest.trim() === 'run';
      const block = { file, line: index + 2, language, name, from, isProgram, code: '' };
      open = { fence: marks, indent: indent.length, block };
      blocks.push(block);
    } else if (open && text.trim() === open.fence) {
      open = undefined;
    } else if (open) {
      const cut = Math.min(open.indent, text.length - text.trimStart().length);
      open.block.code += `${text.slice(cut)}\n`;
    }
  }
  return blocks;
}

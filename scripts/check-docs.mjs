// @ts-check
/**
 * Type checks every `ts` and `tsx` code block of the documents and of the doc comments in the source,
 * each as a module of its own that imports the public names.
 *
 * A block whose first line is `// @errors` shows a wrong use: it must parse and must not type check.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, line: number, extension: string, code: string }} Block */
/** @typedef {{ file: string, line: number, syntax: boolean, text: string }} Problem */

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** @param {string} folder @param {RegExp} name */
function filesIn(folder, name) {
  const from = join(root, folder);
  if (!existsSync(from)) return [];
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

function sources() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  const readmes = ['.', ...packages].map((folder) => join(folder, 'README.md'));
  return [
    ...readmes.filter((file) => existsSync(join(root, file))),
    ...filesIn('docs', /\.md$/),
    ...packages.flatMap((folder) => filesIn(join(folder, 'src'), /\.tsx?$/)),
  ];
}

/**
 * The code blocks of one file, in Markdown or inside doc comments.
 * @param {string} file
 * @returns {Block[]}
 */
function blocksOf(file) {
  const inComments = !file.endsWith('.md');
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ fence: string, indent: number, block: Block | undefined } | undefined} */
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
    const fence = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(text);
    if (!open && fence) {
      const [, indent = '', marks = '', language = ''] = fence;
      const extension = language === 'tsx' ? 'tsx' : 'ts';
      const checked = language === 'ts' || language === 'tsx' || language === 'typescript';
      const block = checked ? { file, line: index + 2, extension, code: '' } : undefined;
      open = { fence: marks, indent: indent.length, block };
      if (block) blocks.push(block);
    } else if (open && text.trim() === open.fence) {
      open = undefined;
    } else if (open?.block) {
      const cut = Math.min(open.indent, text.length - text.trimStart().length);
      open.block.code += `${text.slice(cut)}\n`;
    }
  }
  return blocks;
}

/**
 * The compiler's complaints about `blocks`, by block; those about other files under the key undefined.
 * @param {Block[]} blocks
 */
function compile(blocks) {
  /** @type {Map<Block | undefined, Problem[]>} */
  const problems = new Map();
  if (blocks.length === 0) return problems;
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'docs-'));
  try {
    const names = blocks.map((block, index) => `block-${index}.${block.extension}`);
    for (const [index, block] of blocks.entries()) {
      // Makes it a module even when it imports nothing.
      writeFileSync(join(folder, names[index] ?? ''), `${block.code}\nexport {};\n`);
    }
    const config = {
      extends: relative(folder, join(root, 'tsconfig.base.json')).replaceAll('\\', '/'),
      compilerOptions: {
        noEmit: true,
        types: ['node'],
        customConditions: ['restitch-source'],
        // The usual `strict` of an application; with the option on, users add `override` themselves.
        noImplicitOverride: false,
      },
      files: names,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const result = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: root,
      encoding: 'utf8',
    });
    for (const line of result.stdout.split('\n')) {
      const [, path, at, code, text] = /^(.+?)\((\d+),\d+\): error TS(\d+): (.*)$/.exec(line) ?? [];
      if (path === undefined) {
        // Continuation lines are indented; anything else here is about the run itself.
        if (line.trim() !== '' && !line.startsWith(' ')) throw new Error(line);
        continue;
      }
      const index = names.indexOf(basename(path));
      const block = index === -1 ? undefined : blocks[index];
      const list = problems.get(block) ?? [];
      list.push({
        file: block?.file ?? path,
        line: Number(at) + (block ? block.line - 1 : 0),
        syntax: Number(code) < 2000,
        text: `TS${code}: ${text}`,
      });
      problems.set(block, list);
    }
    if (result.status !== 0 && problems.size === 0) {
      throw new Error(`tsc gave up: ${result.stderr || result.stdout || result.error}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return problems;
}

const blocks = sources().flatMap(blocksOf);
/** @param {Block} block */
const isWrong = (block) => /^\s*\/\/ @errors/.test(block.code);
const wrong = blocks.filter(isWrong);

// Apart, because the compiler stops before types when any file of a run does not parse.
const good = compile(blocks.filter((block) => !isWrong(block)));
const bad = compile(wrong);

const complaints = [...good.values()]
  .flat()
  .map(({ file, line, text }) => `${file}:${line} ${text}`);
const unparsed = [...bad.values()].flat().filter(({ syntax }) => syntax);
for (const { file, line, text } of unparsed) complaints.push(`${file}:${line} ${text}`);
for (const block of wrong) {
  if (unparsed.length === 0 && !bad.has(block)) {
    complaints.push(`${block.file}:${block.line} is marked '// @errors' but compiles`);
  }
}

for (const complaint of complaints) console.error(complaint);
const summary = `${blocks.length} code blocks in documents (${wrong.length} must not compile)`;
console.log(`${summary}: ${complaints.length === 0 ? 'ok' : `${complaints.length} problems`}`);
if (complaints.length > 0) process.exitCode = 1;

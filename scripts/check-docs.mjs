// @ts-check
/**
 * Type checks every `ts` and `tsx` code block of the documents and of the doc comments in the source,
 * each as a module of its own that imports the public names, and the named files of its page. The names resolve to the built
 * packages, as for users: the compiler would check the whole source again for each kind of block.
 *
 * A block whose first line is `// @errors` shows a wrong use: it must parse and must not type check. One that says `from <file>`
 * stands in that file, which is built where what it imports is installed. Code in any other language must be named in ELSEWHERE.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { blocksOf, documents, root, sources } from './docBlocks.mjs';

/** @typedef {import('./docBlocks.mjs').Block} Block */
/** @typedef {{ file: string, line: number, syntax: boolean, text: string }} Problem */

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Module resolution of an application, whose bundler finds `./api`, and of a program for Node. */
const BUNDLER = { module: 'ESNext', moduleResolution: 'Bundler' };
const NODE = { module: 'NodeNext', moduleResolution: 'NodeNext' };

/**
 * The compiler's complaints about `blocks`, by block; those about other files under the key undefined.
 * @param {Block[]} blocks
 * @param {object} resolution
 */
function compile(blocks, resolution) {
  /** @type {Map<Block | undefined, Problem[]>} */
  const problems = new Map();
  if (blocks.length === 0) return problems;
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'docs-'));
  try {
    const pages = [...new Set(blocks.map(({ file }) => file))];
    const names = blocks.map(({ file, name, language }, index) => {
      const extension = language === 'tsx' ? 'tsx' : 'ts';
      return join(`page-${pages.indexOf(file)}`, name ?? `block-${index}.${extension}`);
    });
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) !== index) throw new Error(`${blocks[index]?.file} has two ${name}`);
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      // Makes it a module even when it imports nothing.
      writeFileSync(join(folder, name), `${blocks[index]?.code}\nexport {};\n`);
    }
    const config = {
      extends: relative(folder, join(root, 'tsconfig.base.json')).replaceAll('\\', '/'),
      compilerOptions: {
        noEmit: true,
        types: ['node'],
        ...resolution,
        // The usual `strict` of an application; with the option on, users add `override` themselves.
        noImplicitOverride: false,
      },
      files: names,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const result = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    for (const line of result.stdout.split('\n')) {
      const [, path, at, code, text] = /^(.+?)\((\d+),\d+\): error TS(\d+): (.*)$/.exec(line) ?? [];
      if (path === undefined) {
        // Continuation lines are indented; anything else here is about the run itself.
        if (line.trim() !== '' && !line.startsWith(' ')) throw new Error(line);
        continue;
      }
      const index = names.indexOf(join(path));
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

/** The checks of code in other languages than TypeScript. */
const ELSEWHERE = new Map([
  ['js', 'scripts/rehearsal.mjs, and in pages with a live example tools/docs/liveTest.mjs'],
  ['svelte', 'examples/adapters/test/guide.test.ts'],
]);
const NO_CODE = ['', 'sh', 'text'];
const TYPESCRIPT = ['ts', 'tsx', 'typescript'];

const all = [...documents(), ...sources()].flatMap(blocksOf);
const quoted = all.filter(({ from }) => from !== undefined);
const blocks = all.filter(
  ({ language, from }) => from === undefined && TYPESCRIPT.includes(language),
);
const known = [...NO_CODE, ...TYPESCRIPT, ...ELSEWHERE.keys()];
const unknown = all.filter(({ language }) => !known.includes(language));
/** @param {Block} block */
const isWrong = (block) => /^\s*\/\/ @errors/.test(block.code);
const wrong = blocks.filter(isWrong);
const right = blocks.filter((block) => !isWrong(block));
/** @param {Block} block */
const isForNode = ({ file }) => file.startsWith(join('packages', 'codemod'));

const good = [
  compile(
    right.filter((block) => !isForNode(block)),
    BUNDLER,
  ),
  compile(right.filter(isForNode), NODE),
];
// Apart, because the compiler stops before types when any file of a run does not parse.
const bad = compile(wrong, BUNDLER);

const complaints = good
  .flatMap((problems) => [...problems.values()])
  .flat()
  .map(({ file, line, text }) => `${file}:${line} ${text}`);
const unparsed = [...bad.values()].flat().filter(({ syntax }) => syntax);
for (const { file, line, text } of unparsed) complaints.push(`${file}:${line} ${text}`);
for (const block of wrong) {
  if (unparsed.length === 0 && !bad.has(block)) {
    complaints.push(`${block.file}:${block.line} is marked '// @errors' but compiles`);
  }
}

for (const { file, line, from = '', code } of quoted) {
  if (!readFileSync(join(root, from), 'utf8').includes(code.trim())) {
    complaints.push(`${file}:${line} does not stand in ${from}`);
  }
}
for (const { file, line, language } of unknown) {
  complaints.push(`${file}:${line} no check for code blocks in '${language}'`);
}

for (const complaint of complaints) console.error(complaint);
const count = blocks.length + quoted.length;
const summary = `${count} code blocks in documents (${wrong.length} must not compile)`;
console.log(`${summary}: ${complaints.length === 0 ? 'ok' : `${complaints.length} problems`}`);
if (complaints.length > 0) process.exitCode = 1;

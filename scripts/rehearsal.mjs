// @ts-check
/**
 * A release without publishing: packs the packages, installs the tarballs into new projects outside the repository, and
 * type checks, builds and runs them as a user would. Needs `npm run build`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { chromiumArgs, findChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'rehearsal-'));
/** @type {Record<string, string>} */
const versions = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies;

/** @param {string} folder @param {string} command @param {readonly string[]} args */
async function run(folder, command, args) {
  const limits = { cwd: folder, timeout: 120_000 };
  const { stdout, stderr } = await promisify(execFile)(command, [...args], limits);
  if (stderr && command !== 'npm') process.stderr.write(stderr);
  return stdout;
}

/** @param {string} name @param {readonly string[]} dependencies @param {Record<string, string>} files */
async function project(name, dependencies, files) {
  const folder = join(work, name);
  for (const [file, text] of Object.entries({
    'package.json': JSON.stringify({ name, private: true, type: 'module' }),
    ...files,
  })) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  await run(folder, 'npm', ['install', '--no-audit', '--no-fund', '--silent', ...dependencies]);
  return folder;
}

/** @param {string} name */
const pinned = (name) => `${name}@${versions[name]}`;

/** @param {string} what @param {unknown} holds */
function check(what, holds) {
  if (!holds) throw new Error(`Not so: ${what}`);
  console.log(`✓ ${what}`);
}

/** The user that the API below answers, renamed by each PATCH. */
const user = { id: '1', name: 'Ada' };
const api = createServer((request, response) => {
  const path = request.url ?? '/';
  if (!path.startsWith('/users/')) {
    const file = path === '/' ? 'index.html' : path;
    const types = /** @type {Record<string, string>} */ ({
      '.js': 'text/javascript',
      '.html': 'text/html',
      '.css': 'text/css',
    });
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    try {
      response.end(readFileSync(join(work, 'page', 'dist', file)));
    } catch {
      response.writeHead(404).end();
    }
    return;
  }
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'PATCH')
      Object.assign(user, JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(user));
  });
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = api.address();
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const ESM = `
import { Controller, Entity, resource } from 'restitch';
class User extends Entity { id = ''; name = ''; }
const Users = resource({ urlPrefix: '${origin}', path: '/users/:id', schema: User });
const controller = new Controller();
const user = await controller.fetch(Users.get, { id: '1' });
console.log(user instanceof User, user.name);
controller.dispose();
`;
const CJS = `
const { RestEndpoint } = require('restitch');
const getUser = new RestEndpoint({ urlPrefix: '${origin}', path: '/users/:id' });
getUser({ id: '1' }).then((user) => console.log(user.name));
`;
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  },
  include: ['src'],
});

/** The example on the front page, as it stands there, but for the address of the API. */
function readmeExample() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const code = /```tsx\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  check(
    'the README has an example with the address of an API',
    code.includes('https://api.example.com'),
  );
  return code.replace('https://api.example.com', origin);
}

try {
  const tarballs = [];
  for (const name of ['restitch', 'restitch-codemod']) {
    const packed = await run(root, 'npm', [
      'pack',
      '--silent',
      '-w',
      name,
      '--pack-destination',
      work,
    ]);
    tarballs.push(join(work, packed.trim()));
  }

  const plain = await project('plain', tarballs, { 'main.mjs': ESM, 'main.cjs': CJS });
  check(
    'a plain Node project imports it',
    (await run(plain, 'node', ['main.mjs'])) === 'true Ada\n',
  );
  check('a CommonJS file requires it', (await run(plain, 'node', ['main.cjs'])) === 'Ada\n');

  const bundle = await build({
    stdin: { contents: `export { RestEndpoint } from 'restitch';`, resolveDir: plain },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    logLevel: 'error',
  });
  const inputs = Object.entries(Object.values(bundle.metafile.outputs)[0]?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  check(
    'importing only RestEndpoint pulls in no React, store or controller',
    inputs.length > 3 && !inputs.some(([file]) => /\/(react|store|controller)\//.test(file)),
  );

  const legacy = await project('legacy', tarballs, {
    'api.js': `import axios from 'axios';\n\nexport const getUser = async (id) => (await axios.get(\`${origin}/users/\${id}\`)).data;\n`,
    'main.mjs': `import { getUser } from './api.js';\n\nconsole.log((await getUser('1')).name);\n`,
  });
  await run(legacy, 'npx', ['restitch-codemod', 'axios-to-restitch', '.']);
  check(
    'a file that the codemod converted runs without axios',
    (await run(legacy, 'node', ['main.mjs'])) === 'Ada\n',
  );

  const page = await project(
    'page',
    [
      ...tarballs,
      ...['react', 'react-dom', '@types/react', '@types/react-dom', 'typescript'].map(pinned),
      'vite@8.3.8',
    ],
    {
      'tsconfig.json': TSCONFIG,
      'index.html':
        '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
      'src/App.tsx': readmeExample(),
      'src/main.tsx': `import { createRoot } from 'react-dom/client';\nimport { App } from './App';\n\nconst root = document.getElementById('root');\nif (root) createRoot(root).render(<App />);\n`,
    },
  );
  await run(page, 'npx', ['tsc']);
  await run(page, 'npx', ['vite', 'build', '--logLevel', 'warn']);
  check('the example of the README type checks and builds with Vite', true);
  const found = await findChromium();
  if (found.path === undefined) {
    if (process.env['REQUIRE_BROWSER']) throw new Error(found.reason);
    console.warn(`The built page was not opened: ${found.reason}`);
  } else {
    const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
    try {
      const tab = await browser.newPage();
      await tab.goto(origin);
      await tab.locator('input').fill('Grace');
      await tab.waitForFunction(() => document.querySelector('input')?.value === 'Grace');
      await tab.reload();
      check(
        'it shows the user, and a change is on the server',
        (await tab.locator('input').inputValue()) === 'Grace' && user.name === 'Grace',
      );
    } finally {
      await browser.close();
    }
  }
} finally {
  api.close();
  rmSync(work, { recursive: true, force: true });
}

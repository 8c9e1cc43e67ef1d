// @ts-check
/**
 * A release without publishing: packs the packages, installs the tarballs into new projects outside the repository, and
 * type checks, builds and runs them as a user would. Needs `npm run build`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { blocksOf } from './docBlocks.mjs';
import {
  untilListening,
  check,
  freePort,
  inBrowser,
  install,
  pack,
  root,
  run,
} from './rehearsing.mjs';

const work = mkdtempSync(join(tmpdir(), 'rehearsal-'));
/** @type {Record<string, string>} */
const versions = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies;

/** @param {string} folder @param {Record<string, string>} files */
function write(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** @param {string} name @param {readonly string[]} dependencies @param {Record<string, string>} files */
async function project(name, dependencies, files) {
  const folder = join(work, name);
  const manifest = JSON.stringify({ name, private: true, type: 'module' });
  write(folder, { 'package.json': manifest, ...files });
  await install(folder, dependencies);
  return folder;
}

/** @param {string} name */
const pinned = (name) => `${name}@${versions[name]}`;

/** The user that the API below serves, renamed by each PATCH. */
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
  const [code = '', packed] = ['README.md', join('packages', 'restitch', 'README.md')].map(
    (file) => blocksOf(file).find(({ language }) => language === 'tsx')?.code,
  );
  check("the package's own README has the same example", code === packed);
  check(
    'the README has an example with the address of an API',
    code.includes('https://api.example.com'),
  );
  return code.replace('https://api.example.com', origin);
}

/** The files of the getting-started page by name, with another port. @param {number} port */
function gettingStarted(port) {
  const blocks = blocksOf(join('docs', 'guide', 'getting-started.md'));
  return Object.fromEntries(
    blocks.flatMap(({ name, code }) =>
      name === undefined ? [] : [[name, code.replaceAll(/\b4000\b/g, String(port))]],
    ),
  );
}

try {
  const tarballs = [await pack('restitch', work), await pack('restitch-codemod', work)];

  const plain = await project('plain', tarballs, { 'main.mjs': ESM, 'main.cjs': CJS });
  check(
    'a plain Node project imports it',
    (await run(plain, 'node', ['main.mjs'])) === 'true Ada\n',
  );
  check('a CommonJS file requires it', (await run(plain, 'node', ['main.cjs'])) === 'Ada\n');

  check(
    'the package has its README and its license',
    ['README.md', 'LICENSE'].every((file) =>
      existsSync(join(plain, 'node_modules', 'restitch', file)),
    ),
  );

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
      // As `npm create vite` makes it.
      'src/main.tsx': `import { createRoot } from 'react-dom/client';\nimport App from './App';\n\nconst root = document.getElementById('root');\nif (root) createRoot(root).render(<App />);\n`,
    },
  );
  /** @param {Record<string, string>} files */
  const buildPage = async (files) => {
    write(page, files);
    await run(page, 'npx', ['tsc']);
    await run(page, 'npx', ['vite', 'build', '--logLevel', 'warn']);
  };
  await buildPage({ 'src/App.tsx': readmeExample() });
  check('the example of the README type checks and builds with Vite', true);
  await inBrowser(async (tab) => {
    await tab.goto(origin);
    // The example sends once typing rests.
    const saved = tab.waitForResponse((response) => response.request().method() === 'PATCH');
    await tab.locator('input').fill('Grace');
    await saved;
    await tab.reload();
    check(
      'it shows the user, and a change is on the server',
      (await tab.locator('input').inputValue()) === 'Grace' && user.name === 'Grace',
    );
  });

  const port = await freePort();
  await buildPage(gettingStarted(port));
  check('the files of the getting-started page type check and build with Vite', true);
  const server = spawn(process.execPath, ['server.mjs'], { cwd: page, stdio: 'inherit' });
  const closed = once(server, 'close');
  try {
    await untilListening(`http://127.0.0.1:${port}/posts`);
    await inBrowser(async (tab) => {
      await tab.goto(origin);
      await tab.locator('input').fill('Grace');
      await tab.getByText('New post').click();
      await tab.getByText(/^Untitled, .*by Grace$/).waitFor();
      check(
        'its page shows the new name in each post',
        (await tab.getByText(/by Grace$/).count()) === 3,
      );
    });
  } finally {
    server.kill();
    await closed;
  }
} finally {
  api.close();
  rmSync(work, { recursive: true, force: true });
}

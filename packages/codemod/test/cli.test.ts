import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readArguments, UsageError } from '../src/args.js';
import { run } from '../src/driver.js';
import { writeAll } from '../src/store.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codemod-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

async function codemod(...argv: string[]): Promise<{ code: number; text: string }> {
  const options = readArguments(['axios-to-restitch', ...argv]);
  if (typeof options === 'string') throw new Error(options);
  let text = '';
  const code = await run(options, folder, { out: (more) => (text += more) });
  return { code, text };
}

interface Report {
  readonly leftOut: readonly unknown[];
}

const CALL = `import axios from 'axios';

export async function loadUser(id) {
  const { data } = await axios.get(\`/users/\${id}\`);
  return data;
}
`;
const CONVERTED = `import { RestEndpoint } from 'restitch';

const getUser = new RestEndpoint({ path: '/users/:id' });

export async function loadUser(id) {
  const data = await getUser({ id });
  return data;
}
`;
const LEFT = "import axios from 'axios';\n\nexport const send = (config) => axios(config);\n";
const BROKEN = "import axios from 'axios';\r\nconst = axios.get('/users')\r\n";

describe('a run', () => {
  test('converts files in folders and reports what it left', async () => {
    write({ 'src/user.js': CALL, 'src/deep/list.js': LEFT, 'src/other.js': 'foo();\n' });
    const { code, text } = await codemod('src');
    expect(code).toBe(0);
    expect(read('src/user.js')).toBe(CONVERTED);
    expect(text).toContain('src/deep/list.js:3 the config cannot be followed');
    expect(text).toContain('Changed 1 file; 2 unchanged, 0 failed.');
    expect(text).toContain('1 call converted, 1 left.');
    expect(text).toContain('docs/migrating-from-axios.md#config-unknown');
  });

  test('leaves a file that does not parse byte for byte, does the rest, and exits with 1', async () => {
    write({ 'a.js': BROKEN, 'b.js': CALL });
    const { code, text } = await codemod('.');
    expect(code).toBe(1);
    expect(read('a.js')).toBe(BROKEN);
    expect(read('b.js')).toBe(CONVERTED);
    expect(text).toMatch(/^a\.js: not converted: .*\(2:6\)/m);
  });

  test('changes nothing the second time', async () => {
    write({ 'a.js': CALL, 'b.js': LEFT });
    await codemod('.');
    const before = [read('a.js'), read('b.js')];
    const { text } = await codemod('.');
    expect([read('a.js'), read('b.js')]).toEqual(before);
    expect(text).toContain('Changed 0 files');
  });

  test('with --dry writes nothing and shows a diff', async () => {
    write({ 'a.js': CALL });
    const { text } = await codemod('a.js', '--dry');
    expect(read('a.js')).toBe(CALL);
    expect(text).toContain("--- a/a.js\n+++ b/a.js\n@@ -1,6 +1,8 @@\n-import axios from 'axios';");
    expect(text).toContain('+  const data = await getUser({ id });');
    expect(text).toContain('Would change 1 file');
  });

  test('with --json gives files, sites and a summary', async () => {
    write({ 'a.js': CALL, 'b.js': LEFT });
    const { text } = await codemod('.', '--json');
    expect(JSON.parse(text)).toEqual({
      files: [
        { path: 'a.js', changed: true },
        { path: 'b.js', changed: false },
      ],
      leftOut: [],
      sites: [
        { path: 'a.js', line: 4, status: 'converted' },
        {
          path: 'b.js',
          line: 3,
          status: 'skipped',
          reason: 'the config cannot be followed: it is no literal, so the method is not known',
          code: 'config-unknown',
        },
      ],
      clients: [{ name: 'axios', bridged: 0, repeats: 0, reasons: { 'config-unknown': 1 } }],
      summary: {
        files: { changed: 1, unchanged: 1, failed: 0 },
        calls: { converted: 1, bridged: 0, whole: 0, skipped: 1, reasons: { 'config-unknown': 1 } },
      },
    });
  });

  test('with --no-todo puts no comment above what it leaves', async () => {
    const both = `${CALL}export const send = (config) => axios(config);\n`;
    write({ 'a.js': both, 'b.js': both });
    await codemod('a.js', '--no-todo');
    expect(read('a.js')).not.toContain('TODO');
    await codemod('b.js');
    expect(read('b.js')).toContain('// TODO(axios-to-restitch): the config cannot be followed');
  });

  test('leaves a file as it is that would get nothing but comments', async () => {
    write({ 'b.js': LEFT });
    const { text } = await codemod('.');
    expect(read('b.js')).toBe(LEFT);
    expect(text).toContain('b.js:3 the config cannot be followed');
  });

  test('converts over the bridge, but with --without-axios', async () => {
    const source = `import axios from 'axios';

axios.defaults.timeout = 5000;

export const load = async (id) => (await axios.get(\`/users/\${id}\`)).data;
`;
    write({ 'a.js': source });
    const strict = await codemod('.', '--without-axios');
    expect(read('a.js')).toBe(source);
    expect(strict.text).toContain('0 calls converted, 2 left.');
    const { text } = await codemod('.');
    expect(read('a.js')).toContain('class AxiosEndpoint extends axiosEndpoint(axios) {}');
    expect(text).toContain('1 call converted (1 through axios), 0 left.');
    expect(text).toContain('Between these clients and life without axios:\n  axios: defaults 2\n');
  });

  test('with --inline defines endpoints where they are called', async () => {
    write({ 'a.js': CALL });
    await codemod('.', '--inline');
    expect(read('a.js')).toContain(
      "const data = await new RestEndpoint({ path: '/users/:id' })({ id });",
    );
  });

  test('follows the paths of a tsconfig.json', async () => {
    write({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "#http": ["./src/http/client.ts"] } } }',
      'src/http/client.ts':
        "import axios from 'axios';\n\nexport const api = axios.create({ baseURL: '/api' });\n",
      'src/users.ts':
        "import { api } from '#http';\n\nexport const drop = async (id: string) => {\n  await api.delete(`/users/${id}`);\n};\n",
    });
    await codemod('src');
    expect(read('src/http/client.ts')).toContain('export class ApiEndpoint');
    expect(read('src/users.ts')).toContain("import { ApiEndpoint } from '#http';");
    expect(read('src/users.ts')).toContain('await deleteUser({ id });');
  });

  test('takes `@/` for the sources that a file is among, where several have what it names', async () => {
    const request =
      "import axios from 'axios';\nexport default axios.create({ baseURL: '/api' });\n";
    const home =
      "import request from '@/utils/request';\nexport const getHome = () => request.get('/home').then((r) => r.data);\n";
    write({
      'admin/src/utils/request.js': request,
      'admin/src/home.js': home,
      'shop/src/utils/request.js': request,
      'shop/src/home.js': home,
    });
    expect((await codemod('.')).text).toContain('2 calls converted, 0 left.');
    for (const part of ['admin', 'shop'])
      expect(read(`${part}/src/home.js`)).toContain('Endpoint({');
  });

  test('reports each request on a member of an object, followed or not', async () => {
    write({
      'main.js':
        "import Vue from 'vue';\nimport axios from 'axios';\nVue.prototype.$http = axios;\n",
      'list.js': "export const load = (vm) => vm.$http.get('/list');\n",
      'list.test.js':
        "import axios from 'axios';\nvi.mock('./x');\nconst api = axios.create();\nit('x', () => api.get('/x'));\n",
    });
    const { text } = await codemod('.', '--dry');
    expect(text).toContain('list.js:1 axios comes here in a way that is not followed');
    expect(text).toContain('list.test.js:4 the file mocks axios');
  });

  test('keeps a byte order mark, and leaves files alone that are no UTF-8', async () => {
    const latin = Buffer.from([...Buffer.from(LEFT), 0x2f, 0x2f, 0xe9]);
    write({ 'a.js': `\uFEFF${CALL}` });
    writeFileSync(join(folder, 'latin.js'), latin);
    await codemod('.');
    expect(read('a.js')).toBe(`\uFEFF${CONVERTED}`);
    expect(readFileSync(join(folder, 'latin.js')).equals(latin)).toBe(true);
    const { text } = await codemod('.', '--dry');
    expect(text).toContain('latin.js: left out: it is not UTF-8');
    const { leftOut } = JSON.parse((await codemod('.', '--dry', '--json')).text) as Report;
    expect(leftOut).toEqual([{ path: 'latin.js', reason: 'it is not UTF-8' }]);
  });

  test('does not go into node_modules and build output', async () => {
    write({ 'node_modules/x/a.js': CALL, 'dist/a.js': CALL, 'src/a.js': 'foo();\n' });
    const { text } = await codemod('.');
    expect(read('node_modules/x/a.js')).toBe(CALL);
    expect(text).toContain('Changed 0 files; 1 unchanged');
  });

  test('follows no symbolic links, and writes nothing outside of its paths', async () => {
    write({ 'src/a.js': CALL, 'other/b.js': CALL, 'other/deep/c.js': CALL });
    symlinkSync(join(folder, 'other/b.js'), join(folder, 'src/b.js'));
    symlinkSync(join(folder, 'other/deep'), join(folder, 'src/deep'));
    await codemod('src');
    expect(read('src/a.js')).toBe(CONVERTED);
    expect(read('other/b.js')).toBe(CALL);
    expect(read('other/deep/c.js')).toBe(CALL);
    expect(lstatSync(join(folder, 'src/b.js')).isSymbolicLink()).toBe(true);
    const { text } = await codemod('src/deep/*.js');
    expect(text).toContain('src/deep/c.js: left out: it is behind a symbolic link');
    expect(read('other/deep/c.js')).toBe(CALL);
  });

  test('converts what a path that is a link itself points to', async () => {
    write({ 'other/b.js': CALL });
    symlinkSync(join(folder, 'other'), join(folder, 'src'));
    await codemod('src');
    expect(read('other/b.js')).toBe(CONVERTED);
    expect(lstatSync(join(folder, 'src')).isSymbolicLink()).toBe(true);
  });

  test('writes nothing when one file is read-only, and says which', async () => {
    write({ 'a.js': CALL, 'b.js': CALL });
    chmodSync(join(folder, 'b.js'), 0o444);
    await expect(codemod('.')).rejects.toThrow('Nothing was written: b.js cannot be written');
    expect([read('a.js'), read('b.js')]).toEqual([CALL, CALL]);
    expect(readdirSync(folder).sort()).toEqual(['a.js', 'b.js']);
  });

  test('keeps the mode of a file, and leaves no temporary files', async () => {
    write({ 'a.js': CALL });
    chmodSync(join(folder, 'a.js'), 0o755);
    await codemod('.');
    expect(read('a.js')).toBe(CONVERTED);
    expect(lstatSync(join(folder, 'a.js')).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder)).toEqual(['a.js']);
  });

  test('puts back what it wrote when a later file cannot be replaced', async () => {
    write({ 'a.js': CALL, 'b.js/inside.txt': 'a folder stands where the file was' });
    const change = (path: string) => ({
      path,
      absolute: join(folder, path),
      before: CALL,
      after: CONVERTED,
    });
    await expect(writeAll([change('a.js'), change('b.js')])).rejects.toThrow();
    expect(read('a.js')).toBe(CALL);
    expect(readdirSync(folder).sort()).toEqual(['a.js', 'b.js']);
  });

  test('leaves out a minified bundle among the sources, and says so', async () => {
    const bundle = `import axios from 'axios';${'axios.get("/users");'.repeat(3000)}\n`;
    write({ 'a.js': CALL, 'bundle.js': bundle });
    const { text } = await codemod('.');
    expect(read('bundle.js')).toBe(bundle);
    expect(text).toContain('bundle.js: left out: it is minified');
  });

  test('sees who imports an instance, and who changes defaults, in files that are not given', async () => {
    const api =
      "import axios from 'axios';\n\nexport const api = axios.create({ baseURL: '/api' });\n";
    write({
      'package.json': '{}',
      'src/api.js': api,
      'src/users.js': CALL,
      'pages/users.js': "import { api } from '../src/api';\n\nexport const page = api;\n",
      'main.js': "import axios from 'axios';\n\naxios.defaults.baseURL = '/v1';\n",
    });
    const { text } = await codemod('src', '--no-todo', '--without-axios');
    expect(read('src/api.js')).toBe(api);
    expect(read('src/users.js')).toBe(CALL);
    expect(text).toContain(
      'src/users.js:4 the defaults are changed while the program runs: in main.js',
    );
  });

  test('sees changed defaults in a file that does not parse', async () => {
    write({ 'a.js': CALL, 'b.js': `${BROKEN}axios.defaults.timeout = 1;\n` });
    const { code } = await codemod('.', '--without-axios');
    expect(code).toBe(1);
    expect(read('a.js')).toBe(CALL);
  });

  test('says when a path names nothing', async () => {
    await expect(codemod('missing')).rejects.toThrow('Nothing is at missing');
  });
});

describe('the command line', () => {
  test('is refused with what to do when it is wrong', () => {
    expect(() => readArguments([])).toThrow(UsageError);
    expect(() => readArguments(['react', 'src'])).toThrow('only axios-to-restitch');
    expect(() => readArguments(['axios-to-restitch'])).toThrow('Name files or folders');
    expect(() => readArguments(['axios-to-restitch', 'src', '--wat'])).toThrow('--wat');
  });

  test('prints the help and the version', () => {
    expect(readArguments(['--help'])).toBe('help');
    expect(readArguments(['-v'])).toBe('version');
  });
});

describe('the jscodeshift transform', () => {
  test('runs under jscodeshift itself, one file at a time', { tags: 'scale' }, async () => {
    const exported =
      "import axios from 'axios';\n\nexport const api = axios.create({ baseURL: '/api' });\n";
    write({ 'src/a.js': CALL, 'src/b.js': 'foo();\n', 'src/c.js': BROKEN, 'src/api.js': exported });
    const require = createRequire(import.meta.url);
    const cli = join(dirname(require.resolve('jscodeshift/package.json')), 'bin/jscodeshift.js');
    const transform = join(folder, 'transform.cjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../src/transform.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: transform,
      logLevel: 'silent',
    });
    const args = [
      cli,
      '-t',
      transform,
      '--run-in-band',
      '--no-babel',
      '--todo=false',
      join(folder, 'src'),
    ];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stdout).toMatch(/1 errors[\s\S]*2 skipped[\s\S]*1 ok/);
    expect(read('src/a.js')).toBe(CONVERTED);
    expect(read('src/c.js')).toBe(BROKEN);
    // Its importers are not seen.
    expect(read('src/api.js')).toBe(exported);
  });
});

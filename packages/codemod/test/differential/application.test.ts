/** Converts a whole application through the command line, which must compile and pass its own tests afterwards. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const TIMEOUT = 120_000;

interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a script of Node to its end. */
function run(script: string, ...args: readonly string[]): Promise<Finished> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', VITEST: undefined };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { cwd: root, env, maxBuffer: 1 << 26, timeout: TIMEOUT },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, output: `${stdout}\n${stderr}` });
      },
    );
  });
}

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const tester = join(root, 'node_modules/vitest/vitest.mjs');

async function expectSuccess(finished: Promise<Finished>): Promise<string> {
  const { code, output } = await finished;
  expect(code, output).toBe(0);
  return output;
}

/** Builds a package of the workspace as it would be published, without its sources. */
async function buildPackage(name: string, target: string): Promise<void> {
  const source = join(root, 'packages', name);
  const dist = join(target, 'dist');
  await expectSuccess(
    run(compiler, '-p', source, '--outDir', dist, '--tsBuildInfoFile', join(dist, '.tsbuildinfo')),
  );
  // Without the condition by which the workspace finds sources.
  const published: unknown = JSON.parse(
    await readFile(join(source, 'package.json'), 'utf8'),
    (key, value: unknown) => (key === 'restitch-source' ? undefined : value),
  );
  await writeFile(join(target, 'package.json'), JSON.stringify(published));
}

interface Report {
  readonly sites: readonly {
    readonly path: string;
    readonly line: number;
    readonly status: string;
    readonly code?: string;
  }[];
}

describe('the application of examples/axios-app', () => {
  let folder = '';
  let app = '';
  let cli = '';
  let original: Readonly<Record<string, string>> = {};
  let target = '';

  const filesOf = async (part: string): Promise<readonly string[]> => {
    const entries = await readdir(join(app, part), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(app, join(entry.parentPath, entry.name)))
      .sort();
  };

  const snapshot = async (): Promise<Record<string, string>> => {
    const files = await filesOf('src');
    const texts = files.map(
      async (file) => [file, await readFile(join(app, file), 'utf8')] as const,
    );
    return Object.fromEntries(await Promise.all(texts));
  };

  const report = async (convert: readonly string[]): Promise<Report> => {
    const { output } = await run(cli, ...convert, '--json', '--dry');
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Report;
  };

  beforeAll(async () => {
    // Inside of the workspace, where packages are found; `.cache` is not tracked.
    const cache = join(root, 'packages/codemod/.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'application-'));
    app = join(folder, 'examples/axios-app');
    await cp(join(root, 'examples/axios-app'), app, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    await cp(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    const installed = join(app, 'node_modules/restitch');
    const tool = join(folder, 'codemod');
    await Promise.all([installed, tool].map((path) => mkdir(path, { recursive: true })));
    await buildPackage('restitch', installed);
    await buildPackage('codemod', tool);
    cli = join(tool, 'dist/cli.js');
    target = join(app, 'src');
    original = await snapshot();
  }, TIMEOUT);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The promises in the README of the application.
  it.each([
    [
      'over the bridge',
      [],
      ['src/legacy/retry.ts'],
      ['src/api/catalog.ts', 'src/api/loans.ts', 'src/api/members.ts'],
    ],
    [
      'without axios',
      ['--without-axios'],
      ['src/api/catalog.ts', 'src/api/uploads.ts', 'src/legacy/audit.js', 'src/legacy/retry.ts'],
      ['src/http/client.ts'],
    ],
  ])(
    'compiles and passes its own tests after the conversion %s, and only reported places stay',
    async (_, options, left, kept) => {
      const convert = ['axios-to-restitch', target, ...options];
      await Promise.all(
        Object.entries(original).map(([file, text]) => writeFile(join(app, file), text)),
      );
      expect(Object.keys(original).length).toBeGreaterThanOrEqual(25);

      const dry = await run(cli, ...convert, '--dry');
      expect(dry.code, dry.output).toBe(0);
      expect(await snapshot(), 'a dry run writes nothing').toEqual(original);

      await expectSuccess(run(cli, ...convert));
      const after = await snapshot();
      expect(after).not.toEqual(original);

      await expectSuccess(run(compiler, '-p', app));
      const tests = await expectSuccess(run(tester, 'run', '--root', app));
      expect(tests).toMatch(/Tests\s+20 passed \(20\)/);

      const { sites } = await report(convert);
      const places = new Set(
        sites
          .filter(({ status }) => status === 'skipped')
          .map(({ path }) => relative(app, resolve(root, path))),
      );
      expect([...places].sort()).toEqual(left);
      const users = Object.entries(after)
        .filter(
          ([file, text]) =>
            /['"]axios['"]/.test(text) && !places.has(file) && !text.includes('axiosEndpoint('),
        )
        .map(([file]) => file);
      expect(users, 'besides, axios is named for instances, errors and types').toEqual(kept);

      await expectSuccess(run(cli, ...convert));
      expect(await snapshot(), 'a second run changes nothing').toEqual(after);
    },
    TIMEOUT,
  );
});

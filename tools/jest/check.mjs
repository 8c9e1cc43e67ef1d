// @ts-check
/**
 * Runs kit.test.mjs under jest in both ways that docs/guide/testing.md names: as ES modules, and transformed.
 *
 * Needs `npm run build` at the root, and once `npm ci` here.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const jest = join(here, 'node_modules', 'jest', 'bin', 'jest.js');
if (!existsSync(jest)) {
  console.error('jest is not installed: npm ci --prefix tools/jest');
  process.exit(1);
}
if (!existsSync(join(here, '..', '..', 'packages', 'restitch', 'dist', 'testing', 'index.js'))) {
  console.error('There is no build to test: npm run build');
  process.exit(1);
}

const shared = {
  testEnvironment: 'jsdom',
  testMatch: ['**/*.test.mjs'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'json'],
};
const ways = [
  {
    name: 'ES modules',
    flags: ['--experimental-vm-modules', '--no-warnings'],
    config: { transform: {} },
  },
  {
    name: 'transformed to CommonJS',
    flags: [],
    config: {
      transform: { '\\.m?js$': './transform.cjs' },
      transformIgnorePatterns: ['/node_modules/(?!(restitch|path-to-regexp)/)'],
    },
  },
];

for (const { name, flags, config } of ways) {
  console.log(`jest, ${name}:`);
  const settings = JSON.stringify({ rootDir: here, ...shared, ...config });
  const args = [...flags, jest, '--config', settings, '--runInBand', '--watchman=false'];
  const { status } = spawnSync(process.execPath, args, {
    cwd: here,
    stdio: 'inherit',
    timeout: 60_000,
  });
  if (status !== 0) process.exitCode = 1;
}

// @ts-check
/** Runs the differential test and writes the shares of what was converted into `CONVERSION.md`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const test = 'packages/codemod/test/differential/differential.test.ts';
const vitest = fileURLToPath(
  new URL('node_modules/vitest/vitest.mjs', new URL('../../..', import.meta.url)),
);

const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'node', test], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RESTITCH_CODEMOD_WRITE: '1' },
});
process.exitCode = status ?? 1;

// @ts-check
/** Fails when package-lock.json names a registry: it must install from whichever one npm is set to. */
import { readFileSync } from 'node:fs';

/** @type {{ packages: Record<string, { resolved?: string }> }} */
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const named = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes('://'));
for (const [path, { resolved }] of named) console.error(`package-lock.json: ${path}: ${resolved}`);
if (named.length > 0) {
  console.error('Remove these `resolved` lines; `npm install` here writes none (see .npmrc).');
  process.exitCode = 1;
}

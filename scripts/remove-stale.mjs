// @ts-check
/** Removes compiled files whose sources were removed: the compiler leaves them, and they would be published. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

for (const name of readdirSync(packages)) {
  const [dist, src] = [join(packages, name, 'dist'), join(packages, name, 'src')];
  for (const file of existsSync(dist)
    ? readdirSync(dist, { recursive: true, encoding: 'utf8' })
    : []) {
    const source = /^(.+?)\.(d\.ts|js)(\.map)?$/.exec(file)?.[1];
    const isThere = ['.ts', '.tsx'].some((end) => existsSync(join(src, `${source}${end}`)));
    if (source !== undefined && !isThere) rmSync(join(dist, file));
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file pair, or a file that must stay as it is. */
export interface Fixture {
  /** `area/case`. */
  readonly name: string;
  /** The name of the file without `.input`. */
  readonly path: string;
  readonly input: string;
  readonly output: string;
}

const root = fileURLToPath(new URL('../fixtures', import.meta.url));

/** All fixtures in order of their names. */
export function fixtures(): Fixture[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  return files
    .filter((path) => /\.input\.\w+$/.test(path) || /^untouched\/.*\.\w+$/.test(path))
    .sort()
    .map((path) => {
      const input = readFileSync(join(root, path), 'utf8');
      const other = join(root, path.replace('.input.', '.output.'));
      const output = path.startsWith('untouched/')
        ? input
        : existsSync(other)
          ? readFileSync(other, 'utf8')
          : '';
      const name = path.replace(/(\.input)?\.\w+$/, '');
      return { name, path: path.replace('.input.', '.'), input, output };
    });
}

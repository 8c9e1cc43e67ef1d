import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConvertOptions, SourceFile } from 'restitch-codemod';

/** Files and what they must become. */
export interface Fixture {
  /** `area/case`. */
  readonly name: string;
  readonly input: readonly SourceFile[];
  readonly output: readonly SourceFile[];
  /** Only those in `bridge/` may go over the bridge. */
  readonly options: ConvertOptions;
}

const root = fileURLToPath(new URL('../fixtures', import.meta.url));

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * All fixtures: `area/case.input.ts` with `area/case.output.ts`; folders `area/case.input` and `area/case.output` for files that
 * import one another; and `untouched/case.ts`.
 */
export function fixtures(): Fixture[] {
  const cases = new Map<string, { input: SourceFile[]; output: SourceFile[] }>();
  for (const path of listFiles('.')) {
    const match = /^(.+?)\.input(?:(\/.+)|(\.\w+))$/.exec(path);
    if (match) {
      const [, name = '', inside, extension] = match;
      const one = cases.get(name) ?? { input: [], output: [] };
      cases.set(name, one);
      const file = inside === undefined ? `${name}${extension}` : inside.slice(1);
      const other = path.replace(/\.input(?=[./])/, '.output');
      one.input.push({ path: file, source: read(path) });
      one.output.push({ path: file, source: existsSync(join(root, other)) ? read(other) : '' });
    } else if (path.startsWith('untouched/')) {
      const files = [{ path, source: read(path) }];
      cases.set(path.replace(/\.\w+$/, ''), { input: files, output: files });
    }
  }
  return [...cases].map(([name, files]) => ({
    name,
    ...files,
    options: { withoutAxios: !name.startsWith('bridge/') },
  }));
}

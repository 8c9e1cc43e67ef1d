import type { Arguments } from './args.js';
import { convertFiles } from './convert.js';
import { readSources } from './files.js';
import { diffText, reportJson, reportText } from './report.js';
import { resolveOnDisk } from './resolver.js';
import { type Change, writeAll } from './store.js';

/** The output of a run. */
export interface Output {
  readonly out: (text: string) => void;
  /** Prints a line that the next one replaces; undefined without a terminal. */
  readonly progress?: ((text: string) => void) | undefined;
}

// Milliseconds before the first progress line, so that short runs print only their report.
const PROGRESS_AFTER = 1_000;
const PROGRESS_EVERY = 100;

/**
 * Converts files on disk. All files are converted before the first one is written. Either all files
 * are written, or none.
 *
 * @returns The exit code: 1 if a file could not be converted, otherwise 0.
 */
export async function run(options: Arguments, cwd: string, output: Output): Promise<0 | 1> {
  const { files, outside, leftOut } = await readSources(options.paths, cwd);
  const { onProgress, done } = progressLine(output);
  const conversion = convertFiles(files, {
    inline: options.inline,
    todo: options.todo,
    withoutAxios: options.withoutAxios,
    outside,
    resolve: resolveOnDisk([...files, ...outside]),
    onProgress,
  });
  done();
  if (!options.dry) {
    const sources = new Map(files.map((file) => [file.path, file]));
    await writeAll(
      conversion.files.flatMap(({ path, source, changed }): Change[] => {
        const file = sources.get(path);
        if (!changed || !file) return [];
        return [{ path, absolute: file.absolute, before: file.source, after: source }];
      }),
    );
  }
  if (options.json) output.out(reportJson(conversion, leftOut));
  else {
    if (options.dry) output.out(diffText(files, conversion));
    output.out(reportText(conversion, options.dry, leftOut));
  }
  return conversion.files.some(({ error }) => error !== undefined) ? 1 : 0;
}

function progressLine({ progress }: Output): {
  onProgress: (done: number, total: number) => void;
  done: () => void;
} {
  const start = performance.now();
  let last = start;
  let shown = false;
  return {
    onProgress(count, total) {
      const now = performance.now();
      if (!progress || now - start < PROGRESS_AFTER || now - last < PROGRESS_EVERY) return;
      last = now;
      shown = true;
      progress(`\r${count} of ${total} files`);
    },
    done() {
      if (shown) progress?.('\r\u001B[K');
    },
  };
}

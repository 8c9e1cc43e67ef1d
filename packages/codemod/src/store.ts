import { access, chmod, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';

/** A file to be written. */
export interface Change {
  /** The path in the report. */
  readonly path: string;
  readonly absolute: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes all files or none. Each file is first written to a temporary file in the folder of its
 * target. At the end, all temporary files are renamed.
 *
 * @throws Error when a file cannot be written. All files are then unchanged.
 */
export async function writeAll(changes: readonly Change[]): Promise<void> {
  const modes = await checkWritable(changes);
  const temporary = changes.map(({ absolute }) =>
    join(dirname(absolute), `.${basename(absolute)}.${process.pid}.tmp`),
  );
  const done: Change[] = [];
  try {
    for (const [index, { after }] of changes.entries()) {
      const place = temporary[index] ?? '';
      await writeFile(place, after, { flag: 'wx' });
      await chmod(place, modes[index] ?? 0o644);
    }
    for (const [index, change] of changes.entries()) {
      await rename(temporary[index] ?? '', change.absolute);
      done.push(change);
    }
  } catch (error) {
    for (const { absolute, before } of done) await writeFile(absolute, before);
    throw error;
  } finally {
    for (const place of temporary) await rm(place, { force: true });
  }
}

const WRITABLE = 0o222;

// Also checks the mode, because `access` reports read-only files as writable for root.
async function checkWritable(changes: readonly Change[]): Promise<number[]> {
  const modes: number[] = [];
  const refused: string[] = [];
  for (const { path, absolute } of changes) {
    const { mode } = await stat(absolute);
    modes.push(mode);
    const writable = await access(absolute, constants.W_OK)
      .then(() => access(dirname(absolute), constants.W_OK).then(() => (mode & WRITABLE) !== 0))
      .catch(() => false);
    if (!writable) refused.push(path);
  }
  if (refused.length > 0)
    throw new Error(`Nothing was written: ${refused.join(', ')} cannot be written`);
  return modes;
}

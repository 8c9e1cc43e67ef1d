#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readArguments, USAGE, UsageError } from './args.js';
import { run } from './driver.js';

const version = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  // The cast: the `package.json` of this package has a version.
  return (JSON.parse(text) as { version: string }).version;
};

// The reader of the output, such as `head`, may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  const options = readArguments(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else if (options === 'version') process.stdout.write(`${version()}\n`);
  else {
    const progress = process.stderr.isTTY && !options.json;
    process.exitCode = await run(options, process.cwd(), {
      out: (text) => process.stdout.write(text),
      progress: progress ? (text) => process.stderr.write(text) : undefined,
    });
  }
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (isUsage) process.stderr.write(`\n${USAGE}`);
  process.exitCode = isUsage ? 2 : 1;
}

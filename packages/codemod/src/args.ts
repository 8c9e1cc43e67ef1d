import { parseArgs } from 'node:util';

export interface Arguments {
  readonly paths: readonly string[];
  readonly dry: boolean;
  readonly json: boolean;
  readonly inline: boolean;
  readonly todo: boolean;
  readonly withoutAxios: boolean;
}

export const USAGE = `Usage: restitch-codemod axios-to-restitch <paths…> [options]

Rewrites axios code to restitch in files and folders, as far as it can be proved to send the same requests.

  --dry      write nothing, show what would change
  --json     print the report as JSON
  --inline   define each endpoint where it is called, not at module level
  --no-todo  put no comment above what is left
  --without-axios
             convert only what needs axios no more: nothing sends through an instance
  --help     show this
  --version  show the version

Exit codes: 0 done, 1 a file could not be converted (it is as it was, the others are done), 2 wrong arguments.
`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line. Returns the arguments, or `'help'` or `'version'` if the user requested
 * one of these.
 */
export function readArguments(argv: readonly string[]): Arguments | 'help' | 'version' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [transform, ...paths] = positionals;
  if (transform === undefined) throw new UsageError('Name the transform: axios-to-restitch');
  if (transform !== 'axios-to-restitch')
    throw new UsageError(`There is no transform \`${transform}\`, only axios-to-restitch`);
  if (paths.length === 0) throw new UsageError('Name files or folders');
  return {
    paths,
    dry: values.dry,
    json: values.json,
    inline: values.inline,
    todo: !values['no-todo'],
    withoutAxios: values['without-axios'],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        dry: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        inline: { type: 'boolean', default: false },
        'no-todo': { type: 'boolean', default: false },
        'without-axios': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
        version: { type: 'boolean', default: false, short: 'v' },
      },
    });
  } catch (error) {
    // `parseArgs` throws for an unknown option.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

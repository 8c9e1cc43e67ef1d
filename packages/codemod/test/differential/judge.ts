/** Decides whether a conversion does what the original did. */
import { convertFiles } from 'restitch-codemod';
import { type ClientOptions, withFetchTo } from './clients.js';
import type { SourceFile } from './evaluate.js';
import type { Call, Program } from './program.js';
import { runProgram, type CallRun, type ProgramRun } from './run.js';
import { isEmptyResponse } from './sane.js';
import type { RecordingServer } from './server.js';
import { write, type Written } from './write.js';

/** The converter: the codemod, or a conversion that is known to be wrong. */
export type Converter = typeof convertFiles;
type Conversion = ReturnType<Converter>;

/** The treatment of one call. */
export interface CallVerdict {
  readonly converted: boolean;
  /** The reason of the report, if it was left as it is. */
  readonly reason: string | undefined;
}

/** The result for one program. */
export interface Verdict {
  readonly program: Program;
  readonly written: Written;
  readonly converted: readonly SourceFile[];
  /** For each call of the program, whether it was converted, or the reason why not. */
  readonly calls: readonly CallVerdict[];
  /** Calls that differ as documented, and in no other way. */
  readonly documented: number;
  /** The mistake, as a text for people. */
  readonly problem: string | undefined;
}

const show = ({ requests, outcome }: CallRun): string => [...requests, `=> ${outcome}`].join('\n');

// An empty response is '' there and null here, a documented difference.
const emptied = (text: string): string =>
  text.replaceAll('"(empty)"', 'null').replaceAll('""', 'null');

function listing(files: readonly SourceFile[]): string {
  return files.map(({ path, source }) => `// ${path}\n${source.trimEnd()}`).join('\n\n');
}

/** Finds fault with the conversion as text: what holds whatever the program does. */
function textProblem(
  convert: (files: readonly SourceFile[]) => Conversion,
  written: Written,
  files: Conversion['files'],
  sites: Conversion['sites'],
): string | undefined {
  for (const { path, error } of files) if (error) return `${path} was not converted: ${error}`;
  for (const { name, file, line } of written.entries) {
    const found = sites.filter((site) => site.path === file && site.line === line);
    if (found.length !== 1)
      return `The report has ${found.length} lines instead of one for \`${name}\` (${file}:${line}).`;
    if (found[0]?.status === 'skipped' && !found[0].reason)
      return `No reason is given for \`${name}\`.`;
  }
  const text = files.map(({ source }) => source).join('\n');
  for (const comment of written.comments) {
    if (!text.includes(comment)) return `The comment \`${comment}\` is lost.`;
  }
  for (const { path, source, changed } of files) {
    const before = written.files.find((file) => file.path === path)?.source;
    if (changed !== (before !== source))
      return `${path}: \`changed\` is ${changed}, which is wrong.`;
    if (before?.includes('\r\n') && /[^\r]\n/.test(source)) return `${path}: a line lost its CRLF.`;
  }
  const again = convert(files.map(({ path, source }) => ({ path, source })));
  const second = again.files.find((file) => file.changed || file.error);
  return second && `The second run changes ${second.path}:\n${second.error ?? second.source}`;
}

function differences(
  program: Program,
  calls: Verdict['calls'],
  original: ProgramRun,
  /** The same with what is documented as different spelled out, with and without the bridge. */
  spelledOut: readonly ProgramRun[],
  conversion: ProgramRun,
): { readonly documented: number; readonly problem: string | undefined } {
  let documented = 0;
  for (const [index, call] of program.calls.entries()) {
    const blank = isEmptyResponse(call) ? emptied : (text: string) => text;
    const [before, after, ...spelled] = [original, conversion, ...spelledOut].map(
      ({ calls: runs }) => blank(show(runs[index] ?? { requests: [], outcome: '' })),
    );
    if (before === after) continue;
    if (calls[index]?.converted && after !== undefined && spelled.includes(after)) documented += 1;
    else {
      const as = spelled
        .filter((one) => one !== before)
        .map((one) => `\n\n--- or, as documented\n${one}`)
        .join('');
      return {
        documented,
        problem: `\`${call.name}\` differs.\n\n--- axios\n${before}${as}\n\n--- restitch\n${after}`,
      };
    }
  }
  const allowed = [original, ...spelledOut].some(
    (run) => String(run.loading) === String(conversion.loading),
  );
  const problem = allowed
    ? undefined
    : `Loading differs.\n\n--- axios\n${original.loading.join('\n')}\n\n--- restitch\n${conversion.loading.join('\n')}`;
  return { documented, problem };
}

// Returns true if the text of a program leaves the type of its body open. TypeScript has types of parameters.
function hasVagueBody({ language }: Program, { body, config }: Call): boolean {
  const kind = (body ?? config.data)?.kind;
  return kind === 'member' || (kind === 'text in a name' && !language.startsWith('ts'));
}

/** Converts a program, runs it before and after, and compares. */
export async function examine(
  program: Program,
  server: RecordingServer,
  convert: Converter = convertFiles,
): Promise<Verdict> {
  const written = write(program, 'plain');
  const once = (sources: readonly SourceFile[]): Conversion =>
    convert(sources, { todo: program.todo, withoutAxios: program.withoutAxios });
  const { files, sites } = once(written.files);
  const calls = written.entries.map(({ file, line }) => {
    const site = sites.find((candidate) => candidate.path === file && candidate.line === line);
    const converted = site?.status === 'converted';
    return { converted, reason: converted ? undefined : (site?.code ?? site?.reason) };
  });
  const verdict = { program, written, converted: files, calls };
  const fail = (documented: number, problem: string | undefined): Verdict => ({
    ...verdict,
    documented,
    problem:
      problem &&
      `${problem}\n\n=== program\n${listing(written.files)}\n\n=== conversion\n${listing(files)}\n`,
  });
  const wrong = textProblem(once, written, files, sites);
  if (wrong) return fail(0, wrong);
  // A program that was left alone as a whole needs no proof.
  if (!files.some(({ changed }) => changed)) return fail(0, undefined);

  const options = { origin: server.origin, adapter: program.adapter };
  const inputs = program.calls.map((call) => call.inputs);
  const run = (
    { files: sources, entries }: Pick<Written, 'files' | 'entries'>,
    alike?: ClientOptions['alike'],
  ) => runProgram(sources, entries, inputs, server, { ...options, ...(alike && { alike }) });
  try {
    const original = await run(written);
    const conversion = await withFetchTo(server.origin, () => run({ ...written, files }));
    if (JSON.stringify(original) === JSON.stringify(conversion)) return fail(0, undefined);
    const alike = {
      arrays: true,
      bodies: program.calls.some((call) => hasVagueBody(program, call)),
    };
    const spelled = write(program, 'spelled out');
    const spelledOut = [await run(spelled, alike)];
    // Over the bridge, arrays and bodies are those of axios.
    if (!program.withoutAxios) spelledOut.push(await run(spelled));
    const { documented, problem } = differences(program, calls, original, spelledOut, conversion);
    return fail(documented, problem);
  } catch (error) {
    return fail(
      0,
      `It does not run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

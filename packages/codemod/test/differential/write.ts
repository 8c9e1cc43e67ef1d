/** Writes a program down. */
import type { SourceFile } from './evaluate.js';
import { helpers, inputTypes } from './expressions.js';
import { inputsOf } from './sane.js';
import type { InputName, Program } from './program.js';
import { writeCall, type CallText } from './writeCall.js';
import { calleeName, instanceFiles, MARK } from './writeInstance.js';

/**
 * `plain` is what the codemod gets. `spelled out` says in terms of axios what the documented differences make of it: values in URLs
 * are encoded whole, and in a path they must not be empty.
 */
export type Mode = 'plain' | 'spelled out';

/** The access to the function around a call, and its parameters. */
export interface Entry {
  readonly name: string;
  readonly kind: 'function' | 'method' | 'static' | 'object' | 'promise' | 'initializer';
  readonly inputs: readonly InputName[];
  /** True if the inputs come as one object. */
  readonly destructured: boolean;
  readonly file: string;
  /** The line of the request, counted from 1. */
  readonly line: number;
}

export interface Written {
  readonly files: readonly SourceFile[];
  readonly entries: readonly Entry[];
  /** The text of every comment. */
  readonly comments: readonly string[];
}

const SPELLING = `
function __segment(value, whole) {
  return value == null || value === '' || (whole && /^[.]{1,2}$/.test(value)) ? '__refused__' : encodeURIComponent(value);
}
`;

const KINDS: Readonly<Record<CallText['placement'], Entry['kind']>> = {
  function: 'function',
  arrow: 'function',
  'arrow with an expression': 'function',
  'class method': 'method',
  'static method': 'static',
  'object method': 'object',
  'nested callback': 'function',
  loop: 'function',
  'try with isAxiosError': 'function',
  'try with isAxiosError by name': 'function',
  'try with error.response': 'function',
  'try with another catch': 'function',
  'module, chained': 'promise',
  'module, initializer': 'initializer',
};

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

// The function, class or statement around a call.
function place(
  program: Program,
  { placement, name, setup, value, promised, call }: CallText,
): string {
  const typed = program.language.startsWith('ts');
  const cjs = program.language === 'cjs';
  const names = inputsOf(call);
  const types = names.map((input) => `${input}: ${inputTypes[input]}`);
  const listed = (typed && !call.destructured ? types : names).join(', ');
  const whole = typed ? `{ ${listed} }: { ${types.join('; ')} }` : `{ ${listed} }`;
  const parameters = call.destructured && names.length ? whole : listed;
  const body = [...setup, `return ${value};`].join('\n');
  const exported = (text: string): string =>
    cjs ? `${text}\nexports.${name} = ${name};` : `export ${text}`;
  const asFunction = (inner: string): string =>
    exported(`async function ${name}(${parameters}) {\n${indent(inner)}\n}`);
  const error = typed ? 'error: any' : 'error';
  const guarded = (handler: string): string =>
    asFunction(
      `try {\n${indent([...setup, `return await ${value};`].join('\n'))}\n} catch (${error}) {\n${indent(handler)}\n}`,
    );

  switch (placement) {
    case 'function':
      return asFunction(body);
    case 'arrow':
      return exported(`const ${name} = async (${parameters}) => {\n${indent(body)}\n};`);
    case 'arrow with an expression':
      return exported(`const ${name} = ${promised ? '' : 'async '}(${parameters}) => ${value};`);
    case 'class method':
      return exported(
        `class ${name} {\n  async run(${parameters}) {\n${indent(indent(body))}\n  }\n}`,
      );
    case 'static method':
      return exported(
        `class ${name} {\n  static async run(${parameters}) {\n${indent(indent(body))}\n  }\n}`,
      );
    case 'object method':
      return exported(
        `const ${name} = {\n  async run(${parameters}) {\n${indent(indent(body))}\n  },\n};`,
      );
    case 'nested callback':
      return asFunction(
        `const all = await Promise.all([1, 2].map(async (turn) => {\n${indent(body)}\n}));\nreturn all;`,
      );
    case 'loop':
      return asFunction(
        `const all${typed ? ': any[]' : ''} = [];\nfor (const turn of [1, 2]) {\n` +
          `${indent([...setup, `all.push(await ${value});`].join('\n'))}\n}\nreturn all;`,
      );
    case 'try with isAxiosError':
      return guarded(
        `if (${calleeName(program, 'axios')}.isAxiosError(error)) return error.response?.status;\nthrow error;`,
      );
    case 'try with isAxiosError by name':
      return guarded('if (isAxiosError(error)) return error.response?.status;\nthrow error;');
    case 'try with error.response':
      return guarded('return error.response ? error.response.status : String(error.code);');
    case 'try with another catch':
      return guarded("return 'failed';");
    case 'module, chained':
      return exported(`const ${name} = ${value};`);
    case 'module, initializer':
      return `const ${name} = ${value};`;
  }
}

const HAZARD_TEXT: Partial<Record<Program['hazards'][number], string>> = {
  'taken endpoint name':
    'const getUser = () => 1;\nconst getUsers = () => 2;\nconst postUsers = 3;\nkeep([getUser, getUsers, postUsers]);',
  'taken class name':
    'class ApiEndpoint {}\nconst RestEndpoint = 1;\nkeep([ApiEndpoint, RestEndpoint]);',
  'shadowed axios':
    "const shadow = (axios) => axios.get('/shadow');\nkeep(shadow({ get: () => ({ data: 1 }) }));",
  'foreign api': "const cache = new Map();\ncache.get('/users');\ncache.delete('/users');",
};

/** Takes the marks out of a file, and says on which line each stood. */
function unmark(text: string): readonly [text: string, lines: ReadonlyMap<number, number>] {
  const lines = new Map<number, number>();
  text.split('\n').forEach((line, index) => {
    for (const [, number] of line.matchAll(MARK)) lines.set(Number(number), index + 1);
  });
  return [text.replace(MARK, ''), lines];
}

interface Part {
  readonly text: string;
  /** The places of the requests, by their number in the program. */
  readonly lines: ReadonlyMap<number, number>;
  /** The modules that the part imports. */
  readonly files: readonly SourceFile[];
}

// A file with some of the program's calls.
function writePart(program: Program, texts: readonly CallText[]): Part {
  const { language, hazards } = program;
  const typed = language.startsWith('ts');
  const blocks = texts.flatMap((text) => [
    ...text.module,
    `${text.call.commented ? `// Before ${text.name}.\n` : ''}${place(program, text)}`,
  ]);
  for (const hazard of hazards) {
    const text = HAZARD_TEXT[hazard];
    // The names that are taken may be those of the program's own functions.
    const twice = texts.some(({ name }) => text?.includes(` ${name} `));
    if (text && !twice) blocks.push(typed ? text.replace('(axios)', '(axios: any)') : text);
  }
  const own: Program = { ...program, calls: texts.map(({ call }) => call) };
  const { imports, declarations, files } = instanceFiles(own, blocks.join('\n'));
  const needed = helpers(language)
    .filter(([word]) => new RegExp(`\\b${word}\\b`).test(blocks.join('\n')))
    .map(([, text]) => text);
  if (hazards.includes('type import') && typed) {
    imports.push("import type { AxiosResponse } from 'axios';");
    needed.push('export type Reply = AxiosResponse<string>;');
  }
  const head = [
    ...(hazards.includes('licence') ? ['/* Copyright, all rights reserved. */'] : []),
    ...(hazards.includes('directive') ? ["'use client';"] : []),
  ];
  const [text, lines] = unmark(
    `${[...head, ...imports, '', ...needed, ...declarations, '', ...blocks].join('\n')}\n`,
  );
  return { text, lines, files };
}

/** The text of a program. */
export function write(program: Program, mode: Mode): Written {
  const { language, hazards } = program;
  const texts = program.calls.map((call, index) => writeCall(program, call, index, mode));
  const main = `src/main.${language}`;
  const second = `src/second.${language}`;
  const fileOf = (index: number): string => (program.split && index % 2 ? second : main);
  const paths = [...new Set([main, ...texts.map((_, index) => fileOf(index))])];
  const parts = new Map(
    paths.map((path) => [
      path,
      writePart(
        program,
        texts.filter((_, index) => fileOf(index) === path),
      ),
    ]),
  );
  const finish = (source: string): string => {
    let out = source;
    if (program.quote === '"') out = requoted(out);
    if (!program.semicolons) out = withoutSemicolons(out);
    return program.crlf ? out.replaceAll('\n', '\r\n') : out;
  };
  const files = new Map<string, string>();
  for (const [path, part] of parts) {
    for (const file of part.files) files.set(file.path, finish(file.source));
    files.set(path, finish(part.text) + (mode === 'plain' ? '' : SPELLING));
  }
  return {
    files: [...files].map(([path, source]) => ({ path, source })),
    comments: [
      ...(hazards.includes('licence') ? ['Copyright, all rights reserved.'] : []),
      ...texts.flatMap(({ call, name }) =>
        call.commented ? [`Before ${name}.`, `inside ${name}`] : [],
      ),
    ],
    entries: texts.map(({ name, placement, call }, index) => ({
      name,
      kind: KINDS[placement],
      inputs: inputsOf(call),
      destructured: call.destructured && inputsOf(call).length > 0,
      file: fileOf(index),
      line: parts.get(fileOf(index))?.lines.get(index) ?? 0,
    })),
  };
}

// Strings of programs hold no quotes; `o'neil` only comes as an input.
const requoted = (text: string): string => text.replace(/'([^'\n]*)'/g, '"$1"');

// No line of a program begins with a bracket, so that every semicolon at the end of a line can go.
const withoutSemicolons = (text: string): string => text.replace(/;$/gm, '');

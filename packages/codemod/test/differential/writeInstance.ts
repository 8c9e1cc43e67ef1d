/** Writes down where `axios`, the instance and the base addresses of a program come from. */
import type { Callee, Program } from './program.js';
import type { SourceFile } from './evaluate.js';

export const LITERAL_BASE = 'https://api.example.com/v1';
const CONSTANT_BASE = 'https://constant.example.com/v2';
const IMPORTED_BASE = 'https://imported.example.com';

// Marks where a request begins, until lines are counted. No program has such brackets.
export const MARK = /⟦(\d+)⟧/g;
export const mark = (index: number): string => `⟦${index}⟧`;

/** The name by which a request is made in the file of the calls. */
export function calleeName({ instance, importStyle, language }: Program, callee: Callee): string {
  if (callee === 'axios') {
    if (importStyle === 'renamed') return 'ax';
    return importStyle === 'namespace' && language !== 'cjs' ? 'axios.default' : 'axios';
  }
  return instance.place === 'renamed' ? 'renamed' : instance.name;
}

function creation({ instance, language }: Program, axios: string): string {
  const base = {
    literal: `'${LITERAL_BASE}'`,
    'literal with a slash': `'${LITERAL_BASE}/'`,
    constant: 'BASE',
    environment: `process.env.NO_SUCH_VARIABLE ?? '${LITERAL_BASE}'`,
    relative: "'/api'",
    none: undefined,
  }[instance.base];
  const members = [
    ...(base === undefined ? [] : [`  baseURL: ${base},`]),
    ...(instance.headers.length
      ? [
          `  headers: { ${instance.headers.map(({ key, value }) => `'${key}': ${value.text}`).join(', ')} },`,
        ]
      : []),
    ...(instance.timeout === 'none'
      ? []
      : [`  timeout: ${instance.timeout === 'literal' ? 5000 : 'LIMIT'},`]),
    ...(instance.withCredentials ? ['  withCredentials: true,'] : []),
  ];
  // A second `headers` would take the place of the first.
  const { other } = instance;
  if (other !== undefined && !(other.startsWith('headers') && instance.headers.length))
    members.push(`  ${other},`);
  const type = instance.annotated && language.startsWith('ts') ? ': AxiosInstance' : '';
  const argument = members.length ? `{\n${members.join('\n')}\n}` : '';
  return `const ${instance.name}${type} = ${axios}.create(${argument});`;
}

const BASE_TEXT = `const BASE = '${CONSTANT_BASE}';`;
const ROOT_TEXT = "const ROOT = 'https://root.example.com/v3/';";
const LIMIT_TEXT = 'const LIMIT = 5_000;';
const SECTION_TEXT = "const SECTION = 'seven';";

/** The top of the file of the calls, and the other files. */
export function instanceFiles(program: Program, blocks: string) {
  const { instance, language } = program;
  const { name, place, stays } = instance;
  const cjs = language === 'cjs';
  const imports: string[] = [];
  const declarations: string[] = [];
  const files: SourceFile[] = [];
  const bring = (names: string, from: string): void => {
    imports.push(cjs ? `const ${names} = require('${from}');` : `import ${names} from '${from}';`);
  };

  const usesInstance = program.calls.some((call) => call.callee === 'instance');
  const same = usesInstance && place === 'same';
  if (same || /\b(axios|ax)\b/.test(blocks)) {
    const { importStyle: style } = program;
    if (style === 'default') bring('axios', 'axios');
    else if (style === 'renamed') bring('ax', 'axios');
    else if (style === 'default by name')
      bring(cjs ? '{ default: axios }' : '{ default as axios }', 'axios');
    else if (cjs) imports.push("const axios = require('axios').default;");
    else bring('* as axios', 'axios');
  }
  if (program.setup !== 'none') {
    imports.push(cjs ? "require('./setup');" : "import './setup';");
    const config = language.startsWith('ts') ? 'config: any' : 'config';
    files.push({
      path: `src/setup.${language}`,
      source: [
        cjs ? "const axios = require('axios');" : "import axios from 'axios';",
        '',
        program.setup === 'defaults'
          ? "axios.defaults.headers.common['X-Set'] = 'yes';"
          : `axios.interceptors.request.use((${config}) => {\n  config.headers['X-Set'] = 'yes';\n  return config;\n});`,
        '',
      ].join('\n'),
    });
  }
  if (/[^.]\bisAxiosError\b/.test(blocks)) bring('{ isAxiosError }', 'axios');
  if (/\bAPI_ROOT\b/.test(blocks)) {
    bring('{ API_ROOT }', './config');
    const text = `const API_ROOT = '${IMPORTED_BASE}';`;
    files.push({
      path: `src/config.${language}`,
      source: cjs ? `${text}\nexports.API_ROOT = API_ROOT;\n` : `export ${text}\n`,
    });
  }
  if (/\bBASE\b/.test(blocks) || (same && instance.base === 'constant'))
    declarations.push(BASE_TEXT);
  if (/\bROOT\b/.test(blocks)) declarations.push(ROOT_TEXT);
  if (!usesInstance) return { imports, declarations, files };

  const created = creation(program, same ? calleeName(program, 'axios') : 'axios');
  const annotated = created.includes(': AxiosInstance');
  if (same && annotated) imports.push("import type { AxiosInstance } from 'axios';");
  const needs = [
    ...(instance.base === 'constant' ? [BASE_TEXT] : []),
    ...(created.includes('SECTION') ? [SECTION_TEXT] : []),
    ...(created.includes('LIMIT') ? [LIMIT_TEXT] : []),
  ];
  const after = {
    no: [],
    defaults: [`${name}.defaults.headers.common['X-Late'] = 'yes';`],
    interceptor: [
      `${name}.interceptors.request.use((config${language.startsWith('ts') ? ': any' : ''}) => {\n  config.headers['X-Late'] = 'yes';\n  return config;\n});`,
    ],
    'response interceptor': [
      `${name}.interceptors.response.use((response) => response, (error) => Promise.reject(error));`,
    ],
    'unwrapping interceptor': [
      `${name}.interceptors.response.use((response) => {\n  const result = response.data;\n  return result;\n});`,
    ],
    passed: [`console.assert([${name}].length === 1);`],
  }[stays];
  if (place === 'same') {
    // The helpers of the file may hold the constants.
    if (created.includes('SECTION') && !/\bSECTION\b/.test(blocks)) declarations.push(SECTION_TEXT);
    if (created.includes('LIMIT') && !/\bLIMIT\b/.test(blocks)) declarations.push(LIMIT_TEXT);
    declarations.push(created, ...after);
    return { imports, declarations, files };
  }

  const exported = {
    file: cjs ? `exports.${name} = ${name};` : `export { ${name} };`,
    index: cjs ? `exports.${name} = ${name};` : `export { ${name} };`,
    renamed: cjs ? `exports.${name} = ${name};` : `export { ${name} };`,
    default: cjs ? `module.exports = ${name};` : `export default ${name};`,
  }[place];
  const path = place === 'index' ? 'src/http/client' : 'src/client';
  files.push({
    path: `${path}.${language}`,
    source: [
      cjs
        ? "const axios = require('axios');"
        : `import axios${annotated ? ', { type AxiosInstance }' : ''} from 'axios';`,
      '',
      ...needs,
      created,
      ...after,
      exported,
      '',
    ].join('\n'),
  });
  if (place === 'index') {
    files.push({
      path: `src/http/index.${language}`,
      source: cjs
        ? "module.exports = require('./client');\n"
        : `export { ${name} } from './client';\n`,
    });
    bring(`{ ${name} }`, './http');
  } else if (place === 'default') bring(name, './client');
  else if (place === 'renamed')
    bring(cjs ? `{ ${name}: renamed }` : `{ ${name} as renamed }`, './client');
  else bring(`{ ${name} }`, './client');
  return { imports, declarations, files };
}

/** Writes down one request. */
import type { Call, Config, Expression, Member, Placement, Program } from './program.js';
import type { Mode } from './write.js';
import { calleeName, mark } from './writeInstance.js';
import { consume } from './writeResult.js';
import { quote, writeUrl } from './writeUrl.js';

/** The parts of the code around one request. */
export interface CallText {
  readonly call: Call;
  readonly name: string;
  readonly placement: Placement;
  /** Statements of the module. */
  readonly module: readonly string[];
  /** Statements before the value. */
  readonly setup: readonly string[];
  /** The result of the call. */
  readonly value: string;
  /** True if the value is a promise, and needs no `async` function around it. */
  readonly promised: boolean;
}

const isText = (part: string | Expression): part is string => typeof part === 'string';

// An object literal, with shorthand where the value is named like the key.
function writeObject(members: readonly Member[]): string {
  const texts = members.map(({ key, value }) => {
    if (key === value.text) return key;
    return `${/^\w+$/.test(key) ? key : quote(key)}: ${value.text}`;
  });
  return texts.length ? `{ ${texts.join(', ')} }` : '{}';
}

function configMembers(config: Config): readonly string[] {
  const { params, headers, timeout, responseType, withCredentials, auth, signal, data, other } =
    config;
  return [
    ...(params ? [`params: ${'text' in params ? params.text : writeObject(params)}`] : []),
    ...(headers?.length ? [`headers: ${writeObject(headers)}`] : []),
    ...(timeout === undefined ? [] : [`timeout: ${timeout}`]),
    ...(responseType ? [`responseType: ${quote(responseType)}`] : []),
    ...(withCredentials === undefined ? [] : [`withCredentials: ${withCredentials}`]),
    ...(auth === 'literal' ? ["auth: { username: 'ada', password: 'secret' }"] : []),
    ...(auth === 'local' ? ['auth: { username: user.name, password: token }'] : []),
    ...(signal ? ['signal'] : []),
    ...(data ? [`data: ${data.text}`] : []),
    ...(other === undefined ? [] : [other]),
  ];
}

const BODY_METHODS = new Set(['post', 'put', 'patch']);

/** The text of a request, and what has to stand before it. */
function writeRequest(program: Program, call: Call, index: number, mode: Mode) {
  const { form, method, body, config, name } = call;
  const callee = mark(index) + calleeName(program, call.callee);
  const comment = call.commented ? `/* inside ${name} */ ` : '';
  const written = writeUrl(call.url, mode);
  const members = [...configMembers(config)];
  const setup: string[] = [];
  const module: string[] = [];
  let url = comment + written;
  if (call.url.stands !== 'in the call') {
    const local = call.url.stands === 'in a local constant';
    const constant = local ? 'url' : `${name}Url`;
    (local ? setup : module).push(`const ${constant} = ${written};`);
    url = comment + constant;
  }
  const bound = (list: readonly string[]): string => {
    const text = `{ ${list.join(', ')} }`;
    if (!list.length || config.bound === 'inline') return text;
    const constant = config.bound === 'module' ? `${name}Config` : 'config';
    const typed = program.language.startsWith('ts');
    (config.bound === 'module' ? module : setup).push(
      `const ${constant} = ${text}${typed ? ' as const' : ''};`,
    );
    return constant;
  };

  if (form === 'method') {
    const types = call.typed ? '<any>' : '';
    const args = [url];
    if (BODY_METHODS.has(method) && (body || members.length)) args.push(body?.text ?? 'undefined');
    if (members.length) args.push(bound(members));
    return { text: `${callee}.${method}${types}(${args.join(', ')})`, setup, module };
  }
  const upper = call.typed || index % 2 ? method.toUpperCase() : method;
  const full = [
    ...(method === 'get' && index % 2 ? [] : [`method: ${quote(upper)}`]),
    ...(form === 'urlConfig' ? [] : [`url: ${url}`]),
    ...(body && BODY_METHODS.has(method) ? [`data: ${body.text}`] : []),
    ...members,
  ];
  const object = full.length ? bound(full) : undefined;
  if (form === 'urlConfig')
    return { text: `${callee}(${object ? `${url}, ${object}` : url})`, setup, module };
  return { text: `${callee}${form === 'request' ? '.request' : ''}(${object})`, setup, module };
}

// The statements that the expressions of a call need before it, each once.
function wantedSetup({ url, config, body }: Call): readonly string[] {
  const { params, headers = [], data } = config;
  const all = [
    ...url.segments.flat(),
    ...url.query.map(({ value }) => value),
    ...(params && !('text' in params) ? params.map(({ value }) => value) : []),
    ...(params && 'text' in params ? [params] : []),
    ...headers.map(({ value }) => value),
    ...(body ? [body] : []),
    ...(data ? [data] : []),
  ];
  return [...new Set(all.flatMap((item) => (isText(item) ? [] : (item.setup ?? []))))];
}

/** The text of a call. */
export function writeCall(program: Program, call: Call, index: number, mode: Mode): CallText {
  const { text, setup, module } = writeRequest(program, call, index, mode);
  const { name, placement } = call;
  const [after, value, promised] =
    placement === 'module, initializer'
      ? [[], text, true]
      : consume(call, text, calleeName(program, 'axios'));
  const single = placement.startsWith('module') || placement === 'arrow with an expression';
  const shadow = program.hazards.includes('shadowed endpoint') && !single;
  const before = [
    ...(shadow
      ? [
          "const getUsers = 'mine', getUser = 'mine', getPosts = 'mine';",
          'keep([getUsers, getUser, getPosts]);',
        ]
      : []),
    ...wantedSetup(call),
    ...setup,
  ];
  return { call, name, placement, module, setup: [...before, ...after], value, promised };
}

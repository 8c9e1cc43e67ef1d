import type { Node } from '@babel/types';
import { walk } from './walk.js';
import type { Instance } from './clients.js';
import type { Piece } from './edits.js';
import { insertion } from './edits.js';
import { claimEndpointName, endpointName } from './naming.js';
import { construct, indentAt, prefixWord, statementEnd, topIndent, WIDTH } from './construct.js';
import { type Members, memberFor, writeField } from './writeField.js';
import type { OwnClass } from './draft.js';
import { endOf, type Module, type RestitchName, startOf } from './module.js';
import type { Plan, Planned } from './plan.js';
import { anchorAfter, hasNoHead, isCommonJs, prologueEnd, sourceOf } from './hoist.js';

export interface WriteOptions {
  readonly inline: boolean;
}

/** The changes of a module that affect its imports. */
export interface Written {
  /** The names from restitch that the module now needs. */
  readonly needs: Set<RestitchName>;
  /** The instances whose class the module now uses. */
  readonly classes: Set<Instance>;
  readonly definitions: Definition[];
  /** The removed identifiers. */
  readonly consumed: Set<Node>;
}

export interface Definition {
  readonly text: string;
  /** The ends of the statements that must come before the definition, besides the imports. */
  readonly after: readonly number[];
}

/** Writes the definitions, calls, results and error handlers of the requests of a module. */
export function writeRequests(
  module: Module,
  planned: readonly Planned[],
  plan: Plan,
  options: WriteOptions,
): Written {
  const written: Written = {
    needs: new Set(),
    classes: new Set(),
    definitions: [],
    consumed: new Set(),
  };
  const names = new Map<string, string>();
  const fields = new Map<Instance, Members>();
  const handled = new Set<Node>();
  for (const one of planned) {
    const { request, draft, result, handlers } = one;
    const { call } = request;
    const base = draft.base && plan.bases.get(draft.base);
    const className = draft.ownClass?.name ?? base?.className ?? module.local.RestEndpoint;
    if (draft.ownClass) addOwnClass(written, module, draft.ownClass);
    else if (draft.base) written.classes.add(draft.base);
    else written.needs.add('RestEndpoint');
    // A module's own class extends `axiosEndpoint(axios)`, so `axios` stays in use.
    if (!draft.ownClass) collect(written.consumed, call.node.callee);
    collectTypes(written.consumed, one);
    for (const node of result.consumed) written.consumed.add(node);
    const key = `${className} ${draft.options.join('\n')}`;
    let callee: string;
    const field = draft.base?.field;
    if (draft.base && field) {
      callee = `this.${field.endpoints}.${memberFor(module, className, one, fields, draft.base)}`;
    } else if (options.inline || one.isDefinition || draft.isLate) {
      callee = construct(
        module,
        className,
        draft.options,
        indentAt(module, startOf(call.node)),
        WIDTH - columnOf(module, startOf(call.node)) - 1,
      );
    } else {
      let name = names.get(key);
      if (name === undefined) {
        name = claimEndpointName(
          module,
          endpointName(draft.method, draft.path, prefixWord(draft.options)),
        );
        names.set(key, name);
        const own = draft.base ? [classEnd(module, draft.base)] : [draft.ownClass?.end ?? 0];
        const after = draft.names.map((binding) => statementEnd(module, binding.path.node));
        const made = construct(
          module,
          className,
          draft.options,
          topIndent(module),
          WIDTH - 9 - name.length,
        );
        written.definitions.push({
          after: [...own, ...after],
          text: `const ${name} = ${made}${module.style.semicolon}`,
        });
      }
      callee = name;
    }
    module.edits.push(...result.edits, {
      start: startOf(call.node),
      end: endOf(call.node),
      pieces: one.isDefinition ? [callee] : callPieces(module, callee, one),
    });
    for (const handler of handlers) {
      if (handled.has(handler.node)) continue;
      handled.add(handler.node);
      for (const edit of handler.edits) {
        const pieces = edit.pieces.map((piece) =>
          typeof piece === 'string'
            ? piece.replace('NetworkError', module.local.NetworkError)
            : piece,
        );
        module.edits.push({ ...edit, pieces });
        if (edit.names) written.needs.add('NetworkError');
      }
      if (handler.edits.some(({ names: is }) => is)) collectChecks(written.consumed, handler.node);
    }
  }
  for (const [instance, { texts, after }] of fields) {
    const { className = '' } = plan.bases.get(instance) ?? {};
    const text = writeField(instance, className, [...texts.keys()]);
    written.definitions.push({ after: [...after], text });
  }
  return written;
}

function addOwnClass({ needs, definitions }: Written, module: Module, { text }: OwnClass): void {
  if (text === '') return;
  const block = text + module.style.newline;
  if (definitions.some((one) => one.text === block)) return;
  needs.add('axiosEndpoint');
  if (module.typescript) needs.add('RestGenerics');
  definitions.push({ after: [], text: block });
}

function callPieces(module: Module, callee: string, planned: Planned): Piece[] {
  const { draft, request } = planned;
  const pieces = plainPieces(module, callee, planned);
  if (draft.cast === undefined) return pieces;
  const cast = [...pieces, ` as Promise<${draft.cast}>`];
  const { key, parentPath: parent } = request.call;
  const isAlone =
    (key === 'argument' && parent.isReturnStatement()) ||
    (key === 'body' && parent.isArrowFunctionExpression()) ||
    (key === 'init' && parent.isVariableDeclarator());
  return isAlone ? cast : ['(', ...cast, ')'];
}

function plainPieces(module: Module, callee: string, { draft, request }: Planned): Piece[] {
  const { newline, indent: step } = module.style;
  const start = startOf(request.call.node);
  const indent = indentAt(module, start);
  const rest: Piece[] = ['('];
  for (const [index, argument] of draft.args.entries())
    rest.push(...(index > 0 ? [', '] : []), ...argument);
  rest.push(')');
  if (draft.extend.length === 0) return [callee, ...rest];
  const join = (before: string, between: string, after: string): Piece[] => [
    callee,
    `.extend({${before}`,
    ...draft.extend.flatMap((member, index) => (index > 0 ? [between, ...member] : member)),
    `${after}})`,
    ...rest,
  ];
  const line = join(' ', ', ', ' ');
  if (columnOf(module, start) + lengthOf(line) < WIDTH) return line;
  const inner = `${newline}${indent}${step}`;
  return join(inner, `,${inner}`, `,${newline}${indent}`);
}

const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece[1] - piece[0]),
    0,
  );

const columnOf = ({ source }: Module, position: number): number =>
  position - source.lastIndexOf('\n', position - 1) - 1;

/**
 * Puts the definitions after the imports and after the values that they name. Each place gets one
 * insertion, in the order of the calls.
 */
export function writeDefinitions(
  module: Module,
  definitions: readonly Definition[],
  removed: ReadonlySet<Node>,
): void {
  const head = Math.max(
    prologueEnd(module, removed),
    isCommonJs(module) ? clientEnd(module, removed) : 0,
  );
  const { newline } = module.style;
  const [first] = module.ast.program.body;
  if (first && head > startOf(first) && hasNoHead(module)) {
    // The module has no imports yet. The new imports are added before the first statement, too.
    const lines = definitions.map(({ text }) => `${text}${newline}${topIndent(module)}`);
    if (lines.length > 0)
      module.edits.push(
        insertion(startOf(first), `${lines.join('')}${newline}${topIndent(module)}`),
      );
    return;
  }
  const places = new Map<number, string[]>();
  for (const { after, text } of definitions) {
    const at = Math.max(...[head, ...after].map((end) => anchorAfter(module, end)));
    places.set(at, [...(places.get(at) ?? []), text]);
  }
  for (const [at, texts] of places) {
    const indent = topIndent(module);
    const block = texts
      .map(
        (text, index) => (index > 0 && text.startsWith('function ') ? newline : '') + indent + text,
      )
      .join(newline);
    const rest = module.source.slice(nextAfter(module, at, removed));
    const after = /^[ \t]*(\r?\n)?[ \t]*\S/.test(rest) ? newline : '';
    const same = /^[ \t]*[^\s]/.test(rest) ? newline : '';
    module.edits.push(
      insertion(
        at,
        at === 0 ? `${block}${newline}${newline}` : `${newline}${newline}${block}${after}${same}`,
      ),
    );
  }
}

// Returns the position of `require('restitch')`, which replaces the `require` of axios or follows
// it.
function clientEnd({ ast }: Module, removed: ReadonlySet<Node>): number {
  const found = ast.program.body.find(
    (one) => !removed.has(one) && (sourceOf(one) === 'axios' || sourceOf(one) === 'restitch'),
  );
  return found ? endOf(found) : 0;
}

// Returns the position at which the text continues after removed statements.
function nextAfter({ ast, source }: Module, position: number, removed: ReadonlySet<Node>): number {
  let at = position;
  for (const statement of ast.program.body) {
    if (!removed.has(statement) || startOf(statement) < at) continue;
    if (source.slice(at, startOf(statement)).trim() === '') at = endOf(statement);
  }
  return at;
}

// Returns the position from which the class of an instance exists: after its statement, or after
// its `require`.
function classEnd(module: Module, instance: Instance): number {
  if (instance.module === module) return instance.bridge?.end ?? endOf(instance.statement.node);
  const link = instance.links.find((one) => one.module === module && one.kind === 'require');
  return link ? statementEnd(module, link.node) : 0;
}

function collect(into: Set<Node>, node: Node): void {
  if (node.type === 'Identifier') into.add(node);
  else if (node.type === 'MemberExpression') collect(into, node.object);
}

// Collects the names in type arguments that the new text does not contain.
function collectTypes(into: Set<Node>, { request, draft }: Planned): void {
  const { call, type, result } = request;
  const texts = [draft.cast ?? '', ...draft.options].join('\n');
  for (const argument of [type, result, call.node.typeParameters]) {
    if (argument)
      walk(argument, (node) => {
        const isWritten =
          node.type === 'Identifier' && new RegExp(`\\b${node.name}\\b`).test(texts);
        if (node.type === 'Identifier' && !isWritten) into.add(node);
      });
  }
}

// Collects `axios` and `isAxiosError` in the checks that are rewritten.
function collectChecks(into: Set<Node>, handler: Node): void {
  walk(handler, (node) => {
    if (node.type !== 'CallExpression') return;
    const { callee } = node;
    const named = callee.type === 'MemberExpression' ? callee.property : callee;
    if (named.type === 'Identifier' && /isAxiosError/.test(named.name)) collect(into, callee);
  });
}

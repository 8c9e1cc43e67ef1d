import type { Node } from '@babel/types';
import { VISITOR_KEYS } from '@babel/types';
import type { Instance } from './clients.js';
import type { Piece } from './edits.js';
import { insertion } from './edits.js';
import { claimEndpointName, endpointName } from './naming.js';
import { endOf, type Module, startOf } from './module.js';
import type { Plan, Planned } from './plan.js';
import { anchorAfter, prologueEnd } from './hoist.js';

/** Settings of a conversion. */
export interface WriteOptions {
  readonly inline: boolean;
}

/** What writing a module leaves to the imports. */
export interface Written {
  /** Names from restitch that the module needs now. */
  readonly needs: Set<'RestEndpoint' | 'NetworkError'>;
  /** Instances whose class it names. */
  readonly classes: Set<Instance>;
  /** Identifiers that are gone. */
  readonly consumed: Set<Node>;
}

const WIDTH = 100;

interface Definition {
  readonly text: string;
  readonly at: number;
}

/** Writes the requests of one module: definitions, calls, results and error handlers. */
export function writeRequests(
  module: Module,
  planned: readonly Planned[],
  plan: Plan,
  options: WriteOptions,
): Written {
  const written: Written = { needs: new Set(), classes: new Set(), consumed: new Set() };
  const names = new Map<string, string>();
  const definitions: Definition[] = [];
  const handled = new Set<Node>();
  for (const one of planned) {
    const { request, draft, result, handlers } = one;
    const { call } = request;
    const base = draft.base && plan.bases.get(draft.base);
    const className = base?.className ?? 'RestEndpoint';
    if (draft.base) written.classes.add(draft.base);
    else written.needs.add('RestEndpoint');
    collect(written.consumed, call.node.callee);
    const key = `${className} ${draft.options.join('\n')}`;
    let callee: string;
    if (options.inline || one.isDefinition) {
      callee = construct(
        module,
        className,
        draft.options,
        indentAt(module, startOf(call.node)),
        WIDTH / 2,
      );
    } else {
      let name = names.get(key);
      if (name === undefined) {
        name = claimEndpointName(
          module,
          endpointName(draft.method, draft.path, prefixWord(draft.options)),
        );
        names.set(key, name);
        const own = draft.base?.module === module ? [endOf(draft.base.statement.node)] : [];
        const after = draft.names.map((binding) => statementEnd(module, binding.path.node));
        const at = anchorAfter(module, Math.max(prologueEnd(module), ...own, ...after));
        const made = construct(
          module,
          className,
          draft.options,
          topIndent(module),
          WIDTH - 9 - name.length,
        );
        definitions.push({ at, text: `const ${name} = ${made}${module.style.semicolon}` });
      }
      callee = name;
    }
    module.edits.push(...result.edits, {
      start: startOf(call.node),
      end: endOf(call.node),
      pieces: one.isDefinition ? [callee] : callPieces(callee, one),
    });
    for (const handler of handlers) {
      if (handled.has(handler.node)) continue;
      handled.add(handler.node);
      for (const edit of handler.edits) {
        module.edits.push(edit);
        if (edit.names) written.needs.add('NetworkError');
      }
      if (handler.edits.some(({ names: is }) => is)) collectChecks(written.consumed, handler.node);
    }
  }
  writeDefinitions(module, definitions);
  return written;
}

function callPieces(callee: string, { draft }: Planned): Piece[] {
  const pieces: Piece[] = [callee];
  if (draft.extend.length > 0) {
    pieces.push('.extend({ ');
    for (const [index, member] of draft.extend.entries())
      pieces.push(...(index > 0 ? [', '] : []), ...member);
    pieces.push(' })');
  }
  pieces.push('(');
  for (const [index, argument] of draft.args.entries())
    pieces.push(...(index > 0 ? [', '] : []), ...argument);
  return [...pieces, ')'];
}

function construct(
  module: Module,
  className: string,
  options: readonly string[],
  indent: string,
  width: number,
): string {
  const line = `new ${className}({ ${options.join(', ')} })`;
  if (line.length <= width && !line.includes('\n')) return line;
  const { newline, indent: step } = module.style;
  const lines = options.map((option) => `${indent}${step}${option},`);
  return [`new ${className}({`, ...lines, `${indent}})`].join(newline);
}

// One insertion for each place, in the order of the calls.
function writeDefinitions(module: Module, definitions: readonly Definition[]): void {
  const { newline } = module.style;
  const places = new Map<number, string[]>();
  for (const { at, text } of definitions) places.set(at, [...(places.get(at) ?? []), text]);
  for (const [at, texts] of places) {
    const indent = topIndent(module);
    const block = texts.map((text) => indent + text).join(newline);
    const after = /^[ \t]*(\r?\n)?[ \t]*\S/.test(module.source.slice(at)) ? newline : '';
    const same = /^[ \t]*[^\s]/.test(module.source.slice(at)) ? newline : '';
    module.edits.push(
      insertion(
        at,
        at === 0 ? `${block}${newline}${newline}` : `${newline}${newline}${block}${after}${same}`,
      ),
    );
  }
}

const prefixWord = (options: readonly string[]): string => {
  const prefix = options.find((option) => option.startsWith('urlPrefix: '))?.slice(11) ?? '';
  return /^[A-Za-z_$][\w$]*$/.test(prefix) ? prefix.toLowerCase() : '';
};

function statementEnd(module: Module, node: Node): number {
  const statement = module.ast.program.body.find(
    (one) => startOf(one) <= startOf(node) && endOf(one) >= endOf(node),
  );
  // Imports are there before anything else.
  return !statement || statement.type === 'ImportDeclaration' ? 0 : endOf(statement);
}

/** The indentation of the module's top level: scripts of components are often indented as a whole. */
export function topIndent({ source, ast }: Module): string {
  const [first] = ast.program.body;
  if (!first) return '';
  const start = startOf(first);
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]*$/.test(line) ? line : '';
}

/** The white space at the start of a position's line. */
export function indentAt({ source }: Module, position: number): string {
  const line = source.slice(source.lastIndexOf('\n', position - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function collect(into: Set<Node>, node: Node): void {
  if (node.type === 'Identifier') into.add(node);
  else if (node.type === 'MemberExpression') collect(into, node.object);
}

// `axios` and `isAxiosError` of the checks that are rewritten.
function collectChecks(into: Set<Node>, handler: Node): void {
  walk(handler, (node) => {
    if (node.type !== 'CallExpression') return;
    const { callee } = node;
    const named = callee.type === 'MemberExpression' ? callee.property : callee;
    if (named.type === 'Identifier' && /isAxiosError/.test(named.name)) collect(into, callee);
  });
}

/** Visits a node and all nodes inside. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined) => void,
  parent?: Node,
): void {
  visit(node, parent);
  for (const key of VISITOR_KEYS[node.type] ?? []) {
    const child = (node as unknown as Record<string, unknown>)[key];
    for (const one of Array.isArray(child) ? child : [child])
      if (one) walk(one as Node, visit, node);
  }
}

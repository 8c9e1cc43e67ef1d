import type { NodePath } from '@babel/traverse';
import { insertion } from './edits.js';
import { type Module, outerStart, startOf } from './module.js';
import type { Reason } from './reasons.js';

const MARK = 'TODO(axios-to-restitch):';

/** Puts a comment above the line on which a site begins, unless it is there from an earlier run. */
export function writeTodo(
  module: Module,
  path: NodePath,
  reason: Reason,
  written: Set<string>,
): void {
  const below = placeOf(module, path);
  if (below === undefined) return;
  const place = aboveDirectives(module.source, below);
  const { source, style } = module;
  const indent = source.slice(
    place,
    place + (/^[ \t]*/.exec(source.slice(place))?.[0].length ?? 0),
  );
  const text = `// ${MARK} ${reason.text}`;
  const key = `${place} ${text}`;
  if (written.has(key)) return;
  written.add(key);
  if (commentsAbove(source, place).includes(text)) return;
  module.edits.push(insertion(place + indent.length, `${text}${style.newline}${indent}`));
}

// `// eslint-disable-next-line` and its like belong to the line below them.
function aboveDirectives(source: string, place: number): number {
  const start = source.lastIndexOf('\n', place - 2) + 1;
  const line = source.slice(start, place);
  const isDirective =
    place > 0 &&
    /^\s*(\/\/|\/\*).*(disable-next-line|@ts-(ignore|expect-error)|(prettier|biome|deno-lint|c8|v8|istanbul)\S*[ -]ignore)/.test(
      line,
    );
  return isDirective ? aboveDirectives(source, start) : place;
}

// The lines of comments right above a line.
function commentsAbove(source: string, place: number): string[] {
  const lines: string[] = [];
  for (let end = place - 1; end > 0;) {
    const start = source.lastIndexOf('\n', end - 1) + 1;
    const line = source.slice(start, end).trim();
    if (!line.startsWith('//')) break;
    lines.push(line);
    end = start - 1;
  }
  return lines;
}

// The start of the line where the outermost statement or member that begins a line begins.
function placeOf({ source }: Module, path: NodePath): number | undefined {
  for (let at: NodePath | null = path; at; at = at.parentPath) {
    const { node } = at;
    const holds =
      at.isStatement() ||
      at.isClassProperty() ||
      at.isClassMethod() ||
      at.isObjectProperty() ||
      at.isObjectMethod();
    if (!holds || at.isProgram()) continue;
    const start = Math.min(startOf(node), outerStart(node));
    const line = source.lastIndexOf('\n', start - 1) + 1;
    if (/^\s*(\/\*.*?\*\/\s*)*$/.test(source.slice(line, start))) return line;
  }
  return undefined;
}

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
  const place = placeOf(module, path);
  if (place === undefined) return;
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

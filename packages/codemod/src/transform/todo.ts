import type { NodePath } from '@babel/traverse';
import { insertion } from './edits.js';
import { type Module, outerStart, startOf } from './module.js';
import type { Reason } from './reasons.js';

/** The beginning of each comment that a conversion writes. */
export const MARK = 'TODO(axios-to-restitch):';

/**
 * Puts a comment above the statement or member that contains a site, unless an earlier run wrote
 * the same comment.
 */
export function writeTodo(
  module: Module,
  path: NodePath,
  reason: Reason,
  written: Set<string>,
): void {
  const place = todoPlace(module, path);
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

/** Returns the position of the comment about a site. */
export function todoPlace(module: Module, path: NodePath): number | undefined {
  const below = placeOf(module, path);
  return below === undefined ? undefined : aboveDirectives(module.source, below);
}

/**
 * Removes the comments that an earlier run put above a request, if the request is now converted.
 * The comments stay if another site on the line is left.
 */
export function removeTodos(
  module: Module,
  path: NodePath,
  left: ReadonlyMap<Module, ReadonlySet<number>>,
): void {
  const { source, edits } = module;
  if (!source.includes(MARK)) return;
  const place = todoPlace(module, path);
  if (place === undefined || left.get(module)?.has(place)) return;
  for (let end = place; end > 0;) {
    const start = source.lastIndexOf('\n', end - 2) + 1;
    const line = source.slice(start, end).trim();
    if (!line.startsWith('//')) return;
    const isKnown = edits.some((edit) => edit.start === start && edit.end === end);
    if (line.startsWith(`// ${MARK}`) && !isKnown) edits.push({ start, end, pieces: [] });
    end = start;
  }
}

// Returns the position above directives such as `// eslint-disable-next-line`, which belong to the
// line below them.
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

// Returns the start of a line: the line where the statement or member around a node begins. Skips a
// statement that follows other code on its line.
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

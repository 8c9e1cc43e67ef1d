import { requiredModule, type Use } from './clients.js';
import type { Draft } from './draft.js';
import type { Edit } from './edits.js';
import type { Module } from './module.js';
import type { Project } from './project.js';
import { because, type Reason, Refusal } from './reasons.js';

/** Returns the reason if the action refuses. */
export function attempt(action: () => void): Reason | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

/**
 * Returns the reason why a use of a client is not converted. If another file is the cause, the
 * reason names that file.
 */
export function sharedReason(reason: Reason | undefined, { path }: Module): Reason | undefined {
  if (!reason) return undefined;
  const { where } = reason;
  const elsewhere = where !== undefined && where !== path;
  return { ...(elsewhere ? because(reason.code, `in ${where}`) : reason), shared: true };
}

/** Returns true if a request is the value of a module constant that no code reads. */
export function isInitializer(project: Project, { path, module }: Use): boolean {
  const { parentPath: declarator } = path;
  if (!declarator?.isVariableDeclarator() || declarator.node.init !== path.node) return false;
  const { id } = declarator.node;
  const declaration = declarator.parentPath;
  const exported = declaration.parentPath?.isExportNamedDeclaration() === true;
  const top = exported ? declaration.parentPath?.parentPath : declaration.parentPath;
  if (id.type !== 'Identifier' || id.typeAnnotation || !top?.isProgram()) return false;
  if (!declaration.isVariableDeclaration({ kind: 'const' })) return false;
  const binding = declarator.scope.getBinding(id.name);
  if (!binding || module.around !== '') return false;
  if (exported && project.importers.has(module.path)) return false;
  return binding.referencePaths.every(
    (reference) =>
      reference.isExportNamedDeclaration() && reference.node.declaration === declaration.node,
  );
}

/**
 * Refuses a definition that would run before the values that it names exist. The definition runs
 * together with its module, so values from other modules must already exist. A call inside a
 * function runs later, when all values exist.
 */
export function checkCycles(
  { importers, resolve }: Project,
  { module, client }: Use,
  draft: Draft,
): void {
  const { path } = module;
  const comesBack = (from: string): boolean => {
    const target = resolve(from, path);
    return target !== undefined && (target === path || importers.reaches(target, path));
  };
  const sources = draft.names.map(({ path: { parent, node } }) =>
    parent.type === 'ImportDeclaration'
      ? parent.source.value
      : node.type === 'VariableDeclarator'
        ? requiredModule(node.init)
        : undefined,
  );
  if (client.kind === 'instance' && client.module !== module) {
    if (importers.reaches(client.module.path, path)) throw new Refusal(because('import-cycle'));
    sources.push(client.links.find((link) => link.module === module && link.from)?.from);
  }
  if (sources.some((from) => from !== undefined && comesBack(from)))
    throw new Refusal(because('import-cycle'));
}

/** Refuses an edit that would lose a comment. */
export function checkComments({ comments }: Module, { start, end, pieces }: Edit): void {
  for (const comment of comments) {
    const from = comment.start ?? 0;
    if (from < start || from >= end) continue;
    const kept = pieces.some(
      (piece) => typeof piece !== 'string' && from >= piece[0] && from < piece[1],
    );
    if (!kept) throw new Refusal(because('comment-inside'));
  }
}

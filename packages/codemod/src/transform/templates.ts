import { isComponent } from '../scripts.js';
import { type Module, usedAround } from './module.js';
import type { Project } from './project.js';

const METHODS = 'get|delete|head|options|post|put|patch|request|postForm|putForm|patchForm';

/**
 * Returns the lines in which the template of a component sends requests. Templates are not
 * converted.
 */
export function templateCalls(module: Module, { bindings, memberNames }: Project): number[] {
  if (!isComponent(module.path)) return [];
  const { file, offset, source, program } = module;
  const names = [...bindings.keys()]
    .filter(({ scope }) => scope === program.scope)
    .map(({ identifier }) => identifier.name)
    .filter((name) => usedAround(module, name));
  const all = [...names, ...memberNames].map((name) => name.replaceAll('$', '\\$'));
  if (all.length === 0) return [];
  // Spaces replace the script, comments and styles, so that positions stay the same.
  const template =
    file.slice(0, offset) + source.replace(/[^\n]/g, ' ') + file.slice(offset + source.length);
  const visible = template.replace(/<!--[\s\S]*?-->|<style\b[\s\S]*?<\/style\s*>/gi, (text) =>
    text.replace(/[^\n]/g, ' '),
  );
  const call = new RegExp(
    `(?<![\\w$.-])(?:this\\.)?(?:${all.join('|')})(?:\\s*\\??\\.\\s*(?:${METHODS})|\\[[^\\]]*\\])?(?:<[^>()]*>)?(?:\\?\\.)?\\(`,
    'g',
  );
  return [...visible.matchAll(call)].map(({ index }) => visible.slice(0, index).split('\n').length);
}

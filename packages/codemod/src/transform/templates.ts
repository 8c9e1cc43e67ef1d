import { isComponent } from '../scripts.js';
import { type Module, usedAround } from './module.js';
import type { Project } from './project.js';

const METHODS = 'get|delete|head|options|post|put|patch|request|postForm|putForm|patchForm';

/** Where the template of a component sends requests, as lines of its file: templates are not converted. */
export function templateCalls(module: Module, { bindings, held }: Project): number[] {
  if (!isComponent(module.path)) return [];
  const { file, offset, source, program } = module;
  const names = [...bindings.keys()]
    .filter(({ scope }) => scope === program.scope)
    .map(({ identifier }) => identifier.name)
    .filter((name) => usedAround(module, name));
  const all = [...names, ...held].map((name) => name.replaceAll('$', '\\$'));
  if (all.length === 0) return [];
  // Everything stays where it is: the script is empty, and so is what templates and styles leave out.
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

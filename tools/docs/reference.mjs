// @ts-check
/** The reference: one Markdown page for each exported name, from the doc comments of the source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { entries, root } from './entries.mjs';

/** Settings of the Markdown plugin. */
const MARKDOWN = {
  hideBreadcrumbs: true,
  hidePageHeader: true,
  entryFileName: 'index',
  fileExtension: '.md',
  useCodeBlocks: true,
  expandObjects: false,
  sanitizeComments: true,
};

/** @typedef {{ text: string, link?: string, items?: SidebarItem[], collapsed?: boolean }} SidebarItem */

/**
 * @param {string} folder Where the pages go.
 * @returns {Promise<SidebarItem[]>} The names, for the sidebar; links are relative to `folder`.
 */
export async function writeReference(folder) {
  const all = entries().filter(({ name }) => name.startsWith('restitch/') || name === 'restitch');
  const app = await Application.bootstrapWithPlugins({
    entryPoints: all.map(({ source }) => source),
    tsconfig: join(root, 'tools', 'docs', 'tsconfig.reference.json'),
    plugin: ['typedoc-plugin-markdown'],
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    excludeExternals: true,
    outputs: [{ name: 'markdown', path: folder }],
    readme: 'none',
    disableSources: true,
    requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable', 'Enum'],
    validation: { notDocumented: true, invalidLink: true, notExported: false },
    treatValidationWarningsAsErrors: true,
    ...MARKDOWN,
  });
  const project = await app.convert();
  if (!project) throw new Error('The reference could not be made.');
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('The reference has problems; see above.');
  }
  const named = (project.children ?? []).map(({ name }) => name);
  const unnamed = all.filter(({ name }) => !named.includes(name));
  if (unnamed.length > 0) {
    const list = unnamed.map(({ name, source }) => `${name}: ${source}`).join('\n');
    throw new Error(`No \`@module\` comment gives these their name:\n${list}`);
  }
  await app.generateOutputs(project);
  return sidebarOf(readFileSync(join(folder, 'index.md'), 'utf8'), folder);
}

/**
 * @param {string} index The list of entry points that the plugin wrote.
 * @param {string} folder
 * @returns {SidebarItem[]}
 */
function sidebarOf(index, folder) {
  return linksIn(index).map(({ text, link }) => ({
    text,
    link: `/reference/${link.replace(/index\.md$/, '')}`,
    collapsed: true,
    items: linksIn(readFileSync(join(folder, link), 'utf8')).map((item) => ({
      text: item.text,
      link: `/reference/${join(link, '..', item.link)}`,
    })),
  }));
}

/** @param {string} page */
function linksIn(page) {
  return [...page.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, text = '', link = '']) => ({
    text: text.replaceAll('\\', ''),
    link,
  }));
}

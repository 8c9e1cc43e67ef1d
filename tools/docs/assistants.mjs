// @ts-check
/**
 * Writes the files for assistants: a Markdown copy of each page, and `llms.txt`, which lists the copies in the format of
 * https://llmstxt.org.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {string} site The pages that the site was made of.
 * @param {string} built
 * @param {ReturnType<typeof import('./siteConfig.mjs').configOf>} config
 * @returns {number} How many twins there are.
 */
export function writeForAssistants(site, built, config) {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('.vitepress'),
  );
  for (const page of pages) {
    mkdirSync(dirname(join(built, page)), { recursive: true });
    copyFileSync(join(site, page), join(built, page));
  }
  const sections = config.themeConfig.sidebar.map(({ text, items }) => {
    const lines = linksIn(items).map(({ text: title, link }) => {
      const page = `${link.replace(/\.md$/, '').replace(/\/$/, '/index')}.md`;
      return `- [${title}](${page})${summaryOf(readFileSync(join(site, page), 'utf8'))}`;
    });
    return `## ${text}\n\n${lines.join('\n')}\n`;
  });
  const head = `# ${config.title}\n\n> ${config.description}\n`;
  const first =
    'Begin with [Getting started](/guide/getting-started.md) and [How do I…](/guide/how-do-i.md).\n';
  writeFileSync(join(built, 'llms.txt'), [head, first, ...sections].join('\n'));
  return pages.length;
}

/**
 * @typedef {{ text: string, link?: string | undefined, items?: readonly Item[] }} Item
 * @param {readonly Item[]} items
 * @returns {{ text: string, link: string }[]}
 */
function linksIn(items) {
  return items.flatMap(({ text, link, items: inner = [] }) => [
    ...(link === undefined ? [] : [{ text, link }]),
    ...linksIn(inner),
  ]);
}

/** The first sentence of a page's first paragraph. @param {string} text */
function summaryOf(text) {
  const paragraph = text
    .split(/\n{2,}/)
    .find((block) => /^[A-Za-z*`"[]/.test(block) && !block.startsWith('['));
  const sentence = /^.+?[.:](?=\s|$)/s.exec(paragraph ?? '')?.[0].replaceAll('\n', ' ');
  // Links would lead elsewhere from here.
  const plain = sentence?.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/:$/, '.');
  return plain === undefined ? '' : `: ${plain}`;
}

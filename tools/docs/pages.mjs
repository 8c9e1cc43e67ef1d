// @ts-check
/** The other pages of the site: README.md, the documents, and the files of the repository that they link to. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { root } from './entries.mjs';
import { configOf } from './siteConfig.mjs';

/** The place of a file of the repository in the site, without extension. */
const HOME = 'index.md';

/**
 * @param {string} site
 * @param {import('./reference.mjs').SidebarItem[]} reference
 * @returns The configuration of the site.
 */
export function writePages(site, reference) {
  const written = new Set();
  const queue = ['README.md', ...markdownIn('docs')];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (written.has(file)) continue;
    written.add(file);
    const from = join(root, file);
    const to = join(site, placeOf(file));
    mkdirSync(dirname(to), { recursive: true });
    if (isImage(file)) {
      copyFileSync(from, to);
      continue;
    }
    const { text, links } = page(file, from);
    writeFileSync(to, text);
    queue.push(...links);
  }
  mkdirSync(join(site, '.vitepress'), { recursive: true });
  const config = configOf(reference, titleOf);
  writeFileSync(
    join(site, '.vitepress', 'config.mjs'),
    `import { renderLive } from '../../../tools/docs/live.mjs';

const config = ${JSON.stringify(config, undefined, 2)};

export default { ...config, markdown: { ...config.markdown, config: renderLive } };
`,
  );
  return config;
}

/** @param {string} folder @returns {string[]} */
function markdownIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/**
 * The place of a file of the repository in the site: documents keep their place without `docs/`, anything else is shown
 * below `source/`. Folders are pages that list their files.
 * @param {string} file
 */
function placeOf(file) {
  if (file === 'README.md') return HOME;
  const place = file.startsWith('docs/') ? file.slice('docs/'.length) : join('source', file);
  if (statSync(join(root, file)).isDirectory()) return join(place, 'index.md');
  return isImage(file) || extname(file) === '.md' ? place : `${place}.md`;
}

/** @param {string} file */
const isImage = (file) => /\.(png|svg|gif|jpg|webp)$/.test(file);

/**
 * @param {string} file
 * @param {string} from
 * @returns {{ text: string, links: string[] }}
 */
function page(file, from) {
  if (statSync(from).isDirectory()) {
    const names = readdirSync(from, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs|md|vue|svelte)$/.test(name) && !/node_modules|dist/.test(name))
      .sort();
    const list = names.map((name) => `- [${name}](/${placeOf(join(file, name))})`).join('\n');
    return { text: `# ${file}\n\n${list}\n`, links: names.map((name) => join(file, name)) };
  }
  const text = readFileSync(from, 'utf8');
  if (extname(file) !== '.md') {
    // A search is for words of the documents, not for names in examples.
    const head = `---\nsearch: false\n---\n\n# ${file}\n\n`;
    const language = extname(file).slice(1).replace('mjs', 'js');
    return {
      text: `${head}\`\`\`\`${language}\n${text}\n\`\`\`\`\n`,
      links: [],
    };
  }
  /** @type {string[]} */
  const links = [];
  const linked = text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link) => {
    if (/^(\w+:|#)/.test(link)) return whole;
    const [path = '', anchor] = String(link).split('#');
    const target = relative(root, resolve(dirname(from), path));
    // A link to nowhere is left for the site's own check to report.
    if (!existsSync(join(root, target))) return whole;
    links.push(target);
    return `](/${placeOf(target)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
  return { text: linked, links };
}

/** @param {string} place The path of a document, without `docs/`. */
function titleOf(place) {
  const text = readFileSync(join(root, 'docs', place), 'utf8');
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? place;
}

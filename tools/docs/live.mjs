// @ts-check
/**
 * Examples to run in the page. A block such as `tsx [App.tsx] live` gets a button; the example is made of all named blocks of its page.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { root } from './entries.mjs';

const here = join(root, 'tools', 'docs', 'live');

/**
 * Puts what examples run in into the site: the theme that shows them, and the frame with the library and a fake network.
 * @param {string} site
 */
export async function writeLive(site) {
  const theme = join(site, '.vitepress', 'theme');
  const frame = join(site, 'public', 'live');
  mkdirSync(theme, { recursive: true });
  mkdirSync(frame, { recursive: true });
  const from = JSON.stringify(relative(theme, join(here, 'theme.mjs')).replaceAll('\\', '/'));
  writeFileSync(join(theme, 'index.mjs'), `export { default } from ${from};\n`);
  copyFileSync(join(here, 'frame.html'), join(frame, 'frame.html'));
  await build({
    entryPoints: [join(here, 'frame.mjs')],
    outfile: join(frame, 'frame.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    conditions: ['restitch-source', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // React is that of the workspace, which the library is tested with.
    nodePaths: [join(root, 'node_modules')],
  });
}

/**
 * For VitePress's `markdown.config`: adds the component behind a live block. While the page is parsed, because VitePress takes the names
 * out of the blocks that it renders.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
export function renderLive(markdown) {
  markdown.core.ruler.push('live', ({ tokens }) => {
    const named = tokens.flatMap((token) => {
      const name = token.type === 'fence' && /\[(.+)\]/.exec(token.info)?.[1];
      return name ? [{ name, token }] : [];
    });
    const files = Object.fromEntries(named.map(({ name, token }) => [name, token.content]));
    for (const { name, token } of named) {
      if (token.info.endsWith(' live')) token.meta = { files, entry: name };
    }
  });
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const meta = tokens[index]?.meta;
    const block = fence?.(tokens, index, options, env, self) ?? '';
    if (!meta) return block;
    const files = encodeURIComponent(JSON.stringify(meta.files)).replaceAll("'", '%27');
    return `${block}<LiveExample files="${files}" entry="${meta.entry}" />`;
  };
}

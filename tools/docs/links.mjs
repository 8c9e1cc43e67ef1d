// @ts-check
/** Looks for links inside the built site that lead nowhere: to a page or to a heading that is not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder The built site.
 * @returns {{ links: number, dead: string[] }}
 */
export function deadLinks(folder) {
  /** @type {Map<string, { ids: Set<string>, links: string[] }>} */
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const html = readFileSync(join(folder, name), 'utf8');
    pages.set(`/${name.replace(/(index)?\.html$/, '')}`, {
      ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => decode(id))),
      links: [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => decode(href)),
    });
  }
  const dead = [];
  let links = 0;
  for (const [page, { links: hrefs }] of pages) {
    for (const href of hrefs) {
      const url = new URL(href, `http://site${page}`);
      if (url.host !== 'site') continue;
      links++;
      const target = pages.get(url.pathname) ?? pages.get(`${url.pathname}/`);
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isFile = existsSync(join(folder, decodeURIComponent(url.pathname)));
      if (!target ? !isFile : anchor !== '' && !target.ids.has(anchor)) {
        dead.push(`${page} links to ${href}`);
      }
    }
  }
  return { links, dead };
}

/** @param {string} text */
const decode = (text) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

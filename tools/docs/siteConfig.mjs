// @ts-check
/** The structure of the site. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './entries.mjs';

/** Reading orders; a page that is missing here stands at the end. */
const GUIDE = [
  'getting-started',
  'how-do-i',
  'endpoints',
  'resources',
  'schemas',
  'querying',
  'entity-lifecycle',
  'collections',
  'infinite-scroll',
  'windowed-lists',
  'pagination',
  'reading',
  'mutations',
  'optimistic-updates',
  'queues',
  'saving',
  'deletes',
  'freshness',
  'error-handling',
  'cancellation',
  'polling-and-streams',
  'authentication',
  'sign-out',
  'transforming-data',
  'envelopes',
  'validation',
  'server-rendering',
  'persistence',
  'store-changes',
  'testing',
  'typescript',
  'performance',
  'http-caching',
  'fetch-only-changes',
  'memory',
  'other-frameworks',
  'react-native',
  'adopting',
  'coming-from-tanstack-query',
  'coming-from-rtk-query',
];
const MORE = ['migrating-from-axios', 'how-it-works', 'errors', 'contract-coverage'];

/**
 * @param {import('./reference.mjs').SidebarItem[]} reference
 * @param {(place: string) => string} titleOf
 */
export function configOf(reference, titleOf) {
  /** @param {string} folder @param {readonly string[]} [order] */
  const pagesIn = (folder, order = []) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace(/\.md$/, ''))
      .sort((a, b) => rank(order, a) - rank(order, b) || a.localeCompare(b))
      .map((name) => join(folder, `${name}.md`))
      .map((place) => ({ text: titleOf(place), link: `/${place.replace(/\.md$/, '')}` }));
  const guide = pagesIn('guide', GUIDE);
  return {
    title: 'restitch',
    description: 'REST responses stitched into one live, typed cache.',
    cleanUrls: true,
    // Titles of tests and messages may look like elements.
    markdown: { html: false },
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      nav: [
        { text: 'Guide', link: guide[0]?.link },
        { text: 'Reference', link: '/reference/' },
      ],
      sidebar: [
        { text: 'Guide', items: guide },
        {
          text: 'More',
          items: pagesIn('.', MORE),
        },
        { text: 'Reference', items: reference },
        {
          text: 'Decisions',
          collapsed: true,
          items: pagesIn('decisions'),
        },
      ],
    },
  };
}

/** @param {readonly string[]} order @param {string} name */
function rank(order, name) {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

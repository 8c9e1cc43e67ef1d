// @ts-check
/** Looks into the search index of the built site, as the site's search box does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';

/** Words that people type into the search box, and the section that one of the first results must be. */
const EXPECTED = {
  'infinite scroll': '/guide/infinite-scroll#infinite-scroll',
  'virtual list': '/guide/windowed-lists#virtual-list',
  'windowed list': '/guide/windowed-lists#virtual-lists-and-windowed-lists',
  'jump to row': '/guide/windowed-lists#jump-to-row',
  'load more': '/guide/infinite-scroll#load-more-button',
  prefetch: '/guide/how-do-i#prefetch-on-hover-or-before-a-navigation',
  keepPreviousData: '/guide/how-do-i#keep-the-previous-data-while-the-next-is-loading',
  placeholder: '/guide/how-do-i#placeholder-data-show-the-row-of-the-list-while-the-detail-loads',
  undo: '/guide/how-do-i#undo',
  'bulk delete': '/guide/how-do-i#bulk-edit-bulk-move-and-bulk-delete',
  'bulk move': '/guide/how-do-i#bulk-edit-bulk-move-and-bulk-delete',
  'soft delete': '/guide/deletes#soft-delete-trash-and-restore',
  envelope: '/guide/envelopes#response-envelopes',
  toast: '/guide/how-do-i#toast-for-every-error',
  422: '/guide/how-do-i#form-errors-422-with-a-message-for-each-field',
  'foreign key': '/guide/how-do-i#foreign-keys-userid-instead-of-a-nested-user',
  'dependent queries': '/guide/how-do-i#dependent-queries',
  offline: '/guide/how-do-i#offline',
  persist: '/guide/how-do-i#persist-the-cache',
  select: '/guide/how-do-i#select-a-part-of-the-data',
  polling: '/guide/polling-and-streams#polling',
  websocket: '/guide/polling-and-streams#websockets-and-server-sent-events',
  devtools: '/guide/polling-and-streams#redux-devtools',
  'abort request': '/guide/cancellation#abort-a-request',
  'refresh token': '/guide/authentication#refresh-a-bearer-token',
  401: '/guide/sign-out#sign-out-on-401',
  csrf: '/guide/authentication#csrf-token',
  snake_case: '/guide/transforming-data#convert-keys-to-camelcase',
  localStorage: '/guide/persistence#save-and-restore',
  'garbage collection': '/guide/memory#garbage-collection',
  storybook: '/guide/testing#storybook',
  'fake timers': '/guide/testing#fake-timers',
  'sign out': '/guide/how-do-i#sign-out-clear-the-cache',
  'cancel search': '/guide/how-do-i#cancel-a-search-while-typing',
  useMutation: '/guide/mutations#usemutation',
  createApi: '/guide/coming-from-rtk-query#set-up-the-page',
  'cursor pagination': '/guide/infinite-scroll#pagination',
  offset: '/guide/pagination#page-numbers-and-offsets',
  'race condition': '/guide/mutations#race-conditions-and-out-of-order-responses',
  autosave: '/guide/queues#autosave-and-quick-edits',
  'saving indicator': '/guide/saving#show-what-is-saving',
  'store changes': '/guide/store-changes#react-to-changes-of-the-store',
  'optimistic updates': '/guide/optimistic-updates#optimistic-updates',
  'cache key': '/guide/endpoints#cache-keys',
  'loading indicator': '/guide/reading#global-loading-indicator',
  'error boundary': '/guide/reading#loading-and-error-boundaries',
  deduplication: '/guide/freshness#request-deduplication',
};

/** The number of results that count as found: those visible without scrolling. */
const FIRST = 3;

/**
 * @param {string} folder The built site.
 * @returns {Promise<{ searches: number, missed: string[] }>}
 */
export async function missedSearches(folder) {
  const chunks = join(folder, 'assets', 'chunks');
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot'));
  if (name === undefined) throw new Error(`There is no search index in ${chunks}`);
  const { default: index } = await import(pathToFileURL(join(chunks, name)).href);
  // The settings of VitePress's search box, which it does not export.
  const search = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  const missed = [];
  for (const [words, expected] of Object.entries(EXPECTED)) {
    const found = search.search(words).slice(0, FIRST);
    const places = found.map(({ id }) => String(id));
    if (!places.includes(expected)) {
      missed.push(`'${words}' finds ${places.join(', ') || 'nothing'}, not ${expected}`);
    }
  }
  return { searches: Object.keys(EXPECTED).length, missed };
}

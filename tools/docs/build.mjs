// @ts-check
/**
 * Makes the documentation site in `.cache/site/.vitepress/dist` out of README.md, `docs/` and the doc comments of the source, with
 * `llms.txt` and a Markdown twin of each page. Fails on a dead link, on an example that does not run, on a page that is too heavy, on an
 * export without a comment, and when the search does not find what people look for.
 *
 *   node build.mjs            builds
 *   node build.mjs --serve    builds, and serves it at the URL that it prints
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, serve } from 'vitepress';
import { writeForAssistants } from './assistants.mjs';
import { root } from './entries.mjs';
import { deadLinks } from './links.mjs';
import { writeLive } from './live.mjs';
import { playExamples } from './liveTest.mjs';
import { writePages } from './pages.mjs';
import { writeReference } from './reference.mjs';
import { missedSearches } from './search.mjs';
import { pageWeights } from './weights.mjs';

const site = join(root, '.cache', 'site');
const built = join(site, '.vitepress', 'dist');
rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });

const reference = await writeReference(join(site, 'reference'));
const config = writePages(site, reference);
await writeLive(site);
await build(site);
console.log(`${writeForAssistants(site, built, config)} pages as Markdown, listed in llms.txt`);
const { links, dead } = deadLinks(built);
for (const link of dead) console.error(`Dead link: ${link}`);
console.log(`${links} links, ${dead.length} dead; the site is in ${relative(root, built)}`);
const { searches, missed } = await missedSearches(built);
for (const search of missed) console.error(`Search: ${search}`);
console.log(`${searches} searches, ${missed.length} without their page`);
const { examples, problems } = await playExamples(built);
for (const problem of problems) console.error(`Example: ${problem}`);
console.log(`${examples} pages with examples, ${problems.length} with problems`);
const { heaviest, problems: heavy } = pageWeights(built);
for (const problem of heavy) console.error(`Weight: ${problem}`);
console.log(`the heaviest page weighs ${Math.round(heaviest / 1000)} kB`);
if ([dead, missed, problems, heavy].some(({ length }) => length > 0)) process.exit(1);
if (process.argv.includes('--serve')) await serve({ root: site, port: 4500 });

// @ts-check
/** The compressed size of a page of the built site: its HTML and every file that it loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** In bytes. What an example needs is loaded when it is started, and does not count. */
const LIMIT = 300_000;

/** The best compression takes a hundred times as long as this one. */
const QUICK = 5;

/** @param {string} built @returns {{ heaviest: number, problems: string[] }} */
export function pageWeights(built) {
  const quick = sizesIn(built, QUICK);
  const best = sizesIn(built, constants.BROTLI_MAX_QUALITY);
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !name.startsWith('live'))
    .map((name) => {
      const html = readFileSync(join(built, name), 'utf8');
      const parts = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|woff2|webp|png))"/g)];
      const paths = [...new Set([name, ...parts.map(([, path = '']) => path)])];
      return { name, paths, size: sum(paths, quick) };
    })
    .sort((a, b) => b.size - a.size);
  // Only pages that may be too heavy are compressed as a host does it.
  const heavy = pages
    .filter(({ size }, index) => index === 0 || size > LIMIT)
    .map(({ name, paths }) => ({ name, size: sum(paths, best) }));
  return {
    heaviest: Math.max(...heavy.map(({ size }) => size)),
    problems: heavy
      .filter(({ size }) => size > LIMIT)
      .map(({ name, size }) => `${name} weighs ${size} bytes; the limit is ${LIMIT}`),
  };
}

/** @param {readonly string[]} paths @param {(path: string) => number} sizeOf */
const sum = (paths, sizeOf) => paths.reduce((size, path) => size + sizeOf(path), 0);

/** @param {string} built @param {number} quality @returns {(path: string) => number} */
function sizesIn(built, quality) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return (path) => {
    let size = sizes.get(path);
    if (size === undefined) {
      const bytes = readFileSync(join(built, path));
      // Fonts and images are compressed already.
      const isCompressed = /\.(woff2|webp|png)$/.test(path);
      size = isCompressed ? bytes.length : brotliCompressSync(bytes, { params }).length;
      sizes.set(path, size);
    }
    return size;
  };
}

// @ts-check
/** The compressed size of a page of the built site: its HTML and every file that it loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** In bytes. What an example needs is loaded when it is started, and does not count. */
const LIMIT = 300_000;

/** @param {string} built @returns {{ heaviest: number, problems: string[] }} */
export function pageWeights(built) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  /** @param {string} path */
  const sizeOf = (path) => {
    let size = sizes.get(path);
    if (size === undefined) {
      const bytes = readFileSync(join(built, path));
      // Fonts and images are compressed already.
      size = /\.(woff2|webp|png)$/.test(path) ? bytes.length : brotliCompressSync(bytes).length;
      sizes.set(path, size);
    }
    return size;
  };
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !name.startsWith('live'))
    .map((name) => {
      const html = readFileSync(join(built, name), 'utf8');
      const parts = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|woff2|webp|png))"/g)];
      const paths = new Set([name, ...parts.map(([, path = '']) => path)]);
      return { name, size: [...paths].reduce((sum, path) => sum + sizeOf(path), 0) };
    });
  return {
    heaviest: Math.max(...pages.map(({ size }) => size)),
    problems: pages
      .filter(({ size }) => size > LIMIT)
      .map(({ name, size }) => `${name} weighs ${size} bytes; the limit is ${LIMIT}`),
  };
}

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Everything that the library exports, as a bundler makes it for one value of `NODE_ENV`. */
async function bundleFor(mode: 'development' | 'production'): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from 'restitch'; export * from 'restitch/react';`,
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source'],
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** Texts that only development needs: each of a warning, or of what to do about an error. */
const texts = [
  'Did you mean',
  'It looks like JSON',
  'for a colon that starts no parameter',
  'for example with qs',
  'no manager answers the subscription',
  'no class for the discriminator',
  'reshape the response in',
  'content-type application/json',
  'needs an entity class or a union',
  'Wrap your application once',
  'nothing handled the promise',
  'that tells it apart',
];

describe('what only development says', () => {
  it('is in a bundle for development', async () => {
    const code = await bundleFor('development');
    expect(texts.filter((text) => !code.includes(text))).toEqual([]);
  });

  it('weighs nothing in a bundle for production', async () => {
    const code = await bundleFor('production');
    expect(texts.filter((text) => code.includes(text))).toEqual([]);
  });
});

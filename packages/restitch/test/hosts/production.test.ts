import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { minified } from '../support/minified.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const ALL = `export * from 'restitch'; export * from 'restitch/react';`;

/** What the library exports, as a bundler makes it for one value of `NODE_ENV`. */
async function bundleFor(mode: 'development' | 'production', contents = ALL): Promise<string> {
  const stdin = { contents, resolveDir: root };
  const files = await minified({ stdin, external: ['react', 'react-dom'] }, mode);
  return [...files.values()].join('');
}

/** Texts that only development needs: each of a warning, or of what to do about an error. */
const texts = [
  'Did you mean',
  'It looks like JSON',
  'for a colon that starts no parameter',
  'for example with qs',
  'no manager handles the subscription',
  'no class for the discriminator',
  'reshape the response in',
  'content-type application/json',
  'needs an entity class or a `Union`',
  'Wrap your application once',
  'nothing handled the promise',
  'that distinguishes it',
];

describe('development-only messages', () => {
  it('is in a bundle for development', async () => {
    const code = await bundleFor('development');
    expect(texts.filter((text) => !code.includes(text))).toEqual([]);
  });

  it('weighs nothing in a bundle for production', async () => {
    const code = await bundleFor('production');
    expect(texts.filter((text) => code.includes(text))).toEqual([]);
  });

  it('is not shown to users for a failed response', async () => {
    const code = await bundleFor('production', `export * from 'restitch';`);
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { NetworkError, SchemaError }: typeof import('restitch') = await import(url);
    const response = new Response('', { status: 404 });
    expect(new NetworkError(response).message).toBe('404');
    expect(new NetworkError(response, { message: 'Not here' }).message).toBe('Not here');
    expect(new SchemaError('unexpected-empty', 'getUser').message).toBe('unexpected-empty getUser');
  });
});

/** The example of the README, as it stands there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const code = /^```tsx\n(.*?)^```/ms.exec(readme)?.[1] ?? '';
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'readme-'));
const file = join(work, 'App.tsx');
writeFileSync(file, code);
afterAll(() => rmSync(work, { recursive: true, force: true }));
// The cast: what a module exports is not known before it was imported.
const { default: App } = (await import(file)) as { default: ComponentType };

/** The names that the server was sent, in order, each with the response to it. */
const renames: { readonly name: string; readonly respond: () => Promise<void> }[] = [];
beforeEach(() => {
  renames.length = 0;
  vi.stubGlobal('fetch', (_: string, init: { method: string; body: string }) => {
    const user = { id: '1', name: 'Ada' };
    if (init.method === 'GET') return Promise.resolve(Response.json(user));
    const { name } = JSON.parse(init.body) as typeof user;
    return new Promise<Response>((resolve) => {
      const respond = () => act(async () => resolve(Response.json({ ...user, name })));
      renames.push({ name, respond });
    });
  });
});
afterEach(async () => {
  for (const { respond } of renames) await respond();
  cleanup();
  vi.unstubAllGlobals();
});

const rest = (): Promise<void> => act(() => new Promise<void>((resolve) => setImmediate(resolve)));
const type = (name: string): void =>
  void fireEvent.change(screen.getByRole('textbox'), { target: { value: name } });
const names = (): string[] => renames.map(({ name }) => name);

describe('typing into the example of the README', () => {
  it('sends the first edit at once, and the last text when its response arrives', async () => {
    await act(async () => void render(<App />));
    for (const name of ['Ada ', 'Ada L', 'Ada Lo']) type(name);
    await rest();
    expect(names()).toEqual(['Ada ']);
    await renames[0]?.respond();
    await rest();
    expect(names()).toEqual(['Ada ', 'Ada Lo']);
  });

  it('sends the last text although the page is closed before the response to the first edit arrives', async () => {
    await act(async () => void render(<App />));
    for (const name of ['Ada L', 'Ada Lovelace']) type(name);
    await rest();
    window.dispatchEvent(new Event('pagehide'));
    await rest();
    expect(names()).toEqual(['Ada L', 'Ada Lovelace']);
  });
});

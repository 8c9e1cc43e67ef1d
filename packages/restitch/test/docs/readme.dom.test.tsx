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

/** The names that the server was sent, in order, each with what answers it. */
const renames: { readonly name: string; readonly answer: () => Promise<void> }[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  renames.length = 0;
  vi.stubGlobal('fetch', (_: string, init: { method: string; body: string }) => {
    const user = { id: '1', name: 'Ada' };
    if (init.method === 'GET') return Promise.resolve(Response.json(user));
    const { name } = JSON.parse(init.body) as typeof user;
    return new Promise<Response>((resolve) => {
      const answer = () => act(async () => resolve(Response.json({ ...user, name })));
      renames.push({ name, answer });
    });
  });
});
afterEach(async () => {
  for (const { answer } of renames) await answer();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rest = (): Promise<void> => act(() => vi.advanceTimersByTimeAsync(300).then(() => {}));
const type = (name: string): void =>
  void fireEvent.change(screen.getByRole('textbox'), { target: { value: name } });
const names = (): string[] => renames.map(({ name }) => name);

describe('typing into the example of the README', () => {
  it('sends one request once it rests', async () => {
    await act(async () => void render(<App />));
    for (const name of ['Ada ', 'Ada L', 'Ada Lo']) type(name);
    expect(names()).toEqual([]);
    await rest();
    expect(names()).toEqual(['Ada Lo']);
  });

  it('sends what was typed last after all that was sent before it, however long that takes', async () => {
    await act(async () => void render(<App />));
    type('Ada L');
    await rest();
    type('Ada Lo');
    await rest();
    expect(names()).toEqual(['Ada L']);
    await renames[0]?.answer();
    expect(names()).toEqual(['Ada L', 'Ada Lo']);
  });

  it('sends what was typed last although the page was left before it rests', async () => {
    const { unmount } = render(<App />);
    await act(async () => {});
    type('Ada Lovelace');
    unmount();
    await rest();
    expect(names()).toEqual(['Ada Lovelace']);
  });
});

import { createElement, Suspense, type ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Controller, Endpoint } from 'restitch';
import { DataProvider, useSuspense } from 'restitch/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const getText = new Endpoint(async () => 'the text', { name: 'getText' });

function Text(): ReactNode {
  return createElement('p', null, useSuspense(getText));
}

const logged: string[] = [];
const said = () => logged.splice(0);

beforeEach(() => {
  const log = (...args: unknown[]): void => void logged.push(...args.map(String));
  vi.spyOn(console, 'warn').mockImplementation(log);
  vi.spyOn(console, 'error').mockImplementation(log);
});
afterEach(() => {
  vi.restoreAllMocks();
  logged.length = 0;
});

function html(app: ReactNode): Promise<string> {
  const out = new PassThrough();
  const { pipe } = renderToPipeableStream(app, { onAllReady: () => void pipe(out) });
  return text(out);
}

it('a page with a controller, a boundary and all hooks prints no warning', async () => {
  const controller = new Controller();
  const boundary = createElement(Suspense, { fallback: '…' }, createElement(Text));
  expect(await html(createElement(DataProvider, { controller }, boundary))).toContain('the text');
  expect(said()).toEqual([]);
});

it('a page without a boundary, but with a controller, waits for the data', async () => {
  const controller = new Controller();
  const page = createElement(DataProvider, { controller }, createElement(Text));
  expect(await html(page)).toContain('the text');
  expect(said()).toEqual([]);
});

it('a provider that makes its own controller says so once, and so does a missing boundary', async () => {
  const page = createElement(DataProvider, null, createElement(Text));
  expect(await html(page)).toContain('the text');
  await html(page);
  expect(said()).toEqual([
    expect.stringContaining('without a `controller`'),
    expect.stringContaining('without an <AsyncBoundary>'),
  ]);
});

it('reading works where the server waits for nothing', () => {
  const controller = new Controller();
  controller.setResponse(getText, 'known');
  const page = createElement(DataProvider, { controller }, createElement(Text));
  expect(renderToString(page)).toContain('known');
  expect(said()).toEqual([]);
});

/** A component that waits for two responses is rendered twice. The browser shows the values of the second render. */
import { createElement, Suspense, type ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller, Entity, RestEndpoint, resource } from 'restitch';
import { DataProvider, useSuspense, useSuspenseAll } from 'restitch/react';
import { stateTransform } from 'restitch/ssr';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'RenderedAgainUser';
}
class Post extends Entity {
  id = '';
  author = new User();
  static override key = 'RenderedAgainPost';
  static override schema = { author: User };
}

it('a later part removes the older values that no boundary shows any more', async () => {
  const respond: Record<string, (value: unknown) => void> = {};
  const send = (url: string): Promise<Response> =>
    new Promise((resolve) => {
      respond[new URL(url).pathname] = (value) => resolve(Response.json(value));
    });
  const options = { urlPrefix: 'http://x', send };
  const getUser = resource({ ...options, path: '/users/:id', schema: User }).get;
  const getPost = resource({ ...options, path: '/posts/:id', schema: Post }).get;
  const getSlow = new RestEndpoint({ ...options, path: '/slow/:n' });
  const Both = (): ReactNode => {
    const [user, slow] = useSuspenseAll([
      [getUser, { id: '1' }],
      [getSlow, { n: 2 }],
    ]);
    return user.name + String(slow);
  };
  const Author = (): ReactNode => useSuspense(getPost, { id: '1' }).author.name;
  const Early = (): ReactNode => String(useSuspense(getSlow, { n: 1 }));
  const boundaries = [Early, Both, Author].map((part) =>
    createElement(Suspense, { key: part.name }, createElement(part)),
  );
  const controller = new Controller();
  const html = stateTransform(controller);
  let text = '';
  html.on('data', (part: Buffer) => (text += part.toString()));
  const ended = new Promise((resolve) => html.on('end', resolve));
  const page = createElement(
    'html',
    null,
    createElement('head'),
    createElement('body', null, createElement(DataProvider, { controller }, boundaries)),
  );
  const { pipe } = renderToPipeableStream(page, { onShellReady: () => pipe(html) });
  for (const [path, value] of [
    ['/users/1', { id: '1', name: 'old' }],
    ['/slow/1', 'early'],
    ['/posts/1', { id: '1', author: { id: '1', name: 'new' } }],
    ['/slow/2', '!'],
  ] as const) {
    await expect.poll(() => respond[path]).toBeDefined();
    respond[path]?.(value);
    await settle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  controller.dispose();
  const sent = [...text.matchAll(/"of":"[^"]*users\/1[^"]*","cells":(\[\]|\[\[)/g)];
  expect(text).toContain('new');
  expect(sent.at(-1)?.[1] ?? '[]').toBe('[]');
});

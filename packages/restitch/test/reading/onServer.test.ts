/** Pages whose readers cannot read a response end, and their boundaries are left to the browser. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createElement, type ReactNode, Suspense } from 'react';
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server';
import { Controller, Endpoint, Entity, Invalidate, type ReadEndpoint } from 'restitch';
import { DataProvider, useLive, useSuspense } from 'restitch/react';
import { stateTransform, stateTransformStream } from 'restitch/ssr';
import { describe, expect, it } from 'vitest';
import { responding, unreadableCases } from './cases.js';

type Reader = (props: { endpoint: ReadEndpoint<[{ id: string }], any> }) => ReactNode;

const params = { id: '1' };

const readers: Record<string, Reader> = {
  useSuspense: ({ endpoint }) => createElement('p', null, useSuspense(endpoint, params).title),
  useLive: ({ endpoint }) => createElement('p', null, useLive(endpoint, params).title),
};

function pageOf(controller: Controller, ...children: ReactNode[]): ReactNode {
  const boundary = createElement(Suspense, { fallback: 'loading' }, ...children);
  return createElement(DataProvider, { controller }, createElement('main', null, boundary));
}

const renderers = {
  async renderToPipeableStream(page: ReactNode, controller: Controller, errors: unknown[]) {
    const html = stateTransform(controller);
    const { pipe } = renderToPipeableStream(page, { onError: (error) => void errors.push(error) });
    pipe(html);
    return text(html.pipe(new PassThrough()));
  },
  async renderToReadableStream(page: ReactNode, controller: Controller, errors: unknown[]) {
    const stream = await renderToReadableStream(page, {
      onError: (error: unknown) => void errors.push(error),
    });
    return text(stream.pipeThrough(stateTransformStream(controller)));
  },
};

describe.each(Object.keys(renderers) as (keyof typeof renderers)[])('%s', (renderer) => {
  const render = renderers[renderer];

  describe.each(Object.keys(readers))('%s', (hook) => {
    const Reader = readers[hook] ?? (() => null);

    it.each(unreadableCases)('ends the page where $name', async ({ open, reason }) => {
      const { controller, endpoint, requests } = open();
      const errors: unknown[] = [];
      const reader = createElement(Reader, { endpoint });
      const html = await render(pageOf(controller, reader), controller, errors);
      expect(html).toContain('loading');
      expect(errors).toEqual([
        expect.objectContaining({ code: 'unreadable', message: expect.stringMatching(reason) }),
      ]);
      expect(requests()).toBeLessThanOrEqual(2);
    });
  });

  it('waits for the whole record where another reader of the page brings a summary', async () => {
    class Article extends Entity {
      static override key = 'Article';
      id = '';
      title = '';
      body = 'a default';
    }
    const list = responding([Article], () => [{ id: '1', title: 'one' }]);
    const detail = responding(Article, () => ({ id: '1', title: 'one', body: 'text' }));
    const List = () => createElement('p', null, useSuspense(list.endpoint, params).length);
    const Detail = () => createElement('p', null, useSuspense(detail.endpoint, params).body);
    const controller = new Controller();
    const page = pageOf(controller, createElement(List), createElement(Detail));
    const html = await render(page, controller, []);
    expect(html).toContain('<p>text</p>');
    expect(html).not.toContain('a default');
    expect([list.requests(), detail.requests()]).toEqual([1, 1]);
  });

  it('waits for an optimistic deletion, and ends with the state of the server', async () => {
    class Article extends Entity {
      static override key = 'Article';
      id = '';
      title = '';
    }
    const controller = new Controller();
    controller.set(Article, params, { title: 'one' });
    const detail = responding(Article, () => {
      throw new Error('404');
    });
    const remove = new Endpoint(
      async ({ id }: { id: string }) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { id };
      },
      {
        name: 'remove',
        schema: new Invalidate(Article),
        sideEffect: true as const,
        getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id }),
      },
    );
    const deletion = controller.fetch(remove, params);
    const errors: unknown[] = [];
    const Reader = readers['useSuspense'] ?? (() => null);
    const reader = createElement(Reader, { endpoint: detail.endpoint });
    const html = await render(pageOf(controller, reader), controller, errors);
    await deletion;
    expect(html).toContain('loading');
    expect(errors).toEqual([expect.objectContaining({ message: '404' })]);
    expect(detail.requests()).toBe(1);
  });
});

/** Responses that lack the list of an infinite list. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import {
  byCursor,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  RestEndpoint,
  SchemaError,
} from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useInfinite,
  useInfiniteDLE,
  useWindow,
} from 'restitch/react';
import { afterEach, describe, expect, it } from 'vitest';
import { watchConsole } from '../support/reactWorld.js';

watchConsole();
afterEach(cleanup);

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

const NO_BODY = Symbol('no body');

/** An endpoint whose server gives the bodies one after another, and the last one again. */
function openPosts(...bodies: readonly unknown[]) {
  let sent = 0;
  const controller = new Controller();
  const shared = {
    name: 'getPosts',
    urlPrefix: 'http://host',
    path: '/posts',
    send: () => {
      const body = bodies[Math.min(sent, bodies.length - 1)];
      sent += 1;
      return Promise.resolve(
        body === NO_BODY ? new Response(null, { status: 204 }) : Response.json(body),
      );
    },
    nullable: true,
  } as const;
  const getPosts = new RestEndpoint({
    ...shared,
    schema: { data: { results: new Collection([Post]) }, next: null as string | null },
    pagination: byCursor({ param: 'cursor', next: 'next' }),
  });
  const getPages = new RestEndpoint({
    ...shared,
    schema: { results: new Collection([Post]), total: 0 },
    pagination: byPage({ param: 'page', total: 'total' }),
  });
  const show = (children: ReactNode) =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary
          fallback={<p>loading</p>}
          errorComponent={({ error, resetErrorBoundary }) => (
            <button onClick={resetErrorBoundary}>{error.message}</button>
          )}
        >
          {children}
        </AsyncBoundary>
      </DataProvider>,
      { onCaughtError: () => {} },
    );
  return { controller, getPosts, getPages, show, sent: () => sent };
}

const messageFor = (sample: string): string =>
  `getPosts: the response cannot be read: its list data.results is missing in ${sample}`;

describe.each([
  [
    'with null instead of its list',
    { data: { results: null }, next: null },
    '{"data":{"results":null},"next":null}',
  ],
  ['with another field', { data: { items: [] }, next: null }, '{"data":{"items":[]},"next":null}'],
  ['without fields', {}, '{}'],
  ['without a body, for a `nullable` endpoint', NO_BODY, 'null'],
])('a response %s', (_, body, sample) => {
  it('is an error of useInfinite after one request', async () => {
    const { getPosts, show, sent } = openPosts(body);
    const List = () => <p>{useInfinite(getPosts).items.length} rows</p>;
    show(<List />);
    expect((await screen.findByRole('button')).textContent).toBe(messageFor(sample));
    expect(sent()).toBe(1);
  });

  it('is an error of useInfiniteDLE after one request', async () => {
    const { getPosts, show, sent } = openPosts(body);
    const List = () => {
      const { loading, error } = useInfiniteDLE(getPosts);
      return <p>{loading ? 'loading' : error?.message}</p>;
    };
    show(<List />);
    expect(await screen.findByText(messageFor(sample))).toBeTruthy();
    expect(sent()).toBe(1);
  });

  it('is an error of infinite()', async () => {
    const { controller, getPosts } = openPosts(body);
    const view = infinite(controller, getPosts);
    await view.load();
    const snapshot = view.getSnapshot();
    expect(snapshot).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
    expect(snapshot.status === 'error' && snapshot.error).toBeInstanceOf(SchemaError);
    expect(view.needsLoad()).toBe(false);
  });
});

it('a retry of the boundary requests a list again that was missing', async () => {
  const { getPosts, show, sent } = openPosts({}, { data: { results: [{ id: '1' }] }, next: null });
  const List = () => <p>{useInfinite(getPosts).items.length} rows</p>;
  show(<List />);
  fireEvent.click(await screen.findByRole('button'));
  expect(await screen.findByText('1 rows')).toBeTruthy();
  expect(sent()).toBe(2);
});

it.each([[{ items: [] }], [{ items: [], total: 5 }]])(
  'a windowed list whose response is %j ends in an error after one request',
  async (body) => {
    const { getPages, show, sent } = openPosts(body);
    const List = () => {
      const rows = useWindow(getPages, [], { start: 0, end: 3 });
      return <p>{rows.errorAt(0)?.message ?? 'loading'}</p>;
    };
    show(<List />);
    expect(
      await screen.findByText(/the response cannot be read: its list results is missing in/),
    ).toBeTruthy();
    await act(async () => {});
    expect(sent()).toBe(1);
  },
);

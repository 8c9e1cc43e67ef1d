import { act, screen } from '@testing-library/react';
import * as React from 'react';
import { Suspense, type ReactNode } from 'react';
import type { ReadEndpoint } from 'restitch';
import { useDLE, useFetch, useLive, useSuspense, useSuspenseAll } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { hasUse, show, watchConsole } from '../support/reactWorld.js';
import { unreadableCases } from './cases.js';

watchConsole();

type Endpoint = ReadEndpoint<[{ id: string }], any>;

const params = { id: '1' };

/** Each shows the text of what it reads, and throws or shows its error. */
const readers: Record<string, (props: { endpoint: Endpoint }) => ReactNode> = {
  useSuspense: ({ endpoint }) => <p>{String(useSuspense(endpoint, params).id)}</p>,
  useLive: ({ endpoint }) => <p>{String(useLive(endpoint, params).id)}</p>,
  useSuspenseAll: ({ endpoint }) => <p>{String(useSuspenseAll([[endpoint, params]])[0].id)}</p>,
  useDLE({ endpoint }) {
    const { data, loading, error } = useDLE(endpoint, params);
    return <p role={error && 'alert'}>{loading ? 'loading' : (error?.message ?? String(data))}</p>;
  },
};
if (hasUse) {
  const { use } = { ...React };
  const Child = ({ promise }: { promise: Promise<{ id: string }> }) => <p>{use(promise).id}</p>;
  readers['useFetch'] = function Parent({ endpoint }) {
    return <Child promise={useFetch(endpoint, params)} />;
  };
  readers['useFetch above the boundary'] = function Parent({ endpoint }) {
    const promise = useFetch(endpoint, params);
    return (
      <Suspense fallback="loading">
        <Child promise={promise} />
      </Suspense>
    );
  };
}

/** Lets everything settle that has its response by itself. */
const settle = (): Promise<void> =>
  act(async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setTimeout(done));
  });

describe.each(Object.keys(readers))('%s', (hook) => {
  const Reader = readers[hook] ?? (() => null);

  it.each(unreadableCases)(
    'shows the error after at most one repeat, where $name',
    async ({ open, reason }) => {
      const { controller, endpoint, requests } = open();
      const polled = endpoint.extend({ pollFrequency: 1_000_000_000 });
      await act(async () => void show(<Reader endpoint={polled} />, { controller }));
      await settle();
      expect(screen.getByRole('alert').textContent).toMatch(reason);
      expect(requests()).toBeLessThanOrEqual(2);
    },
  );
});

it('trying again fetches again, and a write that fixes the record shows it', async () => {
  const { controller, endpoint, requests } = unreadableCases[2]?.open() ?? never();
  const Reader = readers['useSuspense'] ?? (() => null);
  show(<Reader endpoint={endpoint} />, { controller });
  await settle();
  expect(requests()).toBe(1);
  await act(async () => screen.getByRole('button').click());
  await settle();
  expect(requests()).toBe(2);
  expect(screen.getByRole('alert').textContent).toMatch(/it is locked/);
  // A write that makes the record readable ends the error.
  await act(async () => controller.set(endpoint.schema, params, { isLocked: false, title: '' }));
  await settle();
  expect(screen.getByText('1')).toBeDefined();
});

function never(): never {
  throw new Error('There is no such case.');
}

import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, Endpoint, type ReadEndpoint } from 'restitch';
import {
  DataProvider,
  useCancelling,
  useDLE,
  useFetch,
  useLive,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Caught } from '../support/caught.js';
import { requests, watchConsole } from '../support/reactWorld.js';

watchConsole();

const server = requests();
// The cast is the mistake that these tests are about.
const remove = new Endpoint(server.send, {
  name: 'removeUser',
  sideEffect: true,
}) as unknown as ReadEndpoint<[{ id: string }], string>;
const args = { id: '1' };

describe('an endpoint with side effects', () => {
  it.each<[string, () => unknown]>([
    ['useSuspense', () => useSuspense(remove, args)],
    ['useSuspenseAll', () => useSuspenseAll([[remove, args]])],
    ['useDLE', () => useDLE(remove, args)],
    ['useFetch', () => useFetch(remove, args)],
    ['useLive', () => useLive(remove, args)],
    ['useSubscription', () => useSubscription(remove, args)],
    ['useSuspense with useCancelling', () => useSuspense(useCancelling(remove), args)],
  ])('is refused by %s before anything is sent', (_, useReader) => {
    function Reader(): ReactNode {
      useReader();
      return 'mounted';
    }
    render(
      <DataProvider controller={new Controller()}>
        <Caught>
          <Reader />
        </Caught>
      </DataProvider>,
      { onCaughtError: () => {} },
    );
    expect(screen.getByRole('alert').textContent).toContain('mutation-in-reader removeUser');
    expect(server.calls).toEqual([]);
  });
});

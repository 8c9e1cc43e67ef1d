import { act, cleanup, render, screen } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { Controller, Endpoint } from 'restitch';
import { AsyncBoundary, DataProvider, useDLE, useSuspense } from 'restitch/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Renders a component for a while whose endpoints respond at once; returns how many requests it sent. */
async function requestsOf(useData: (endpoint: Endpoint<() => Promise<number>>) => ReactNode) {
  const respond = vi.fn(() => 1);
  const controller = new Controller();
  function Page(): ReactNode {
    return useData(new Endpoint(async () => respond()));
  }
  vi.spyOn(console, 'error').mockImplementation(() => {});
  render(
    <StrictMode>
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="waits">
          <Page />
        </AsyncBoundary>
      </DataProvider>
    </StrictMode>,
  );
  for (let turn = 0; turn < 400; turn += 1) await act(async () => {});
  return respond.mock.calls.length;
}

describe('a function endpoint that each render makes anew', () => {
  it('ends in an error where the component waits', async () => {
    const sent = await requestsOf((endpoint) => String(useSuspense(endpoint)));
    expect(sent).toBeLessThan(250);
    expect(screen.getByRole('alert').textContent).toContain(
      'each render fetches from another endpoint',
    );
  });

  it('sends no more than that where the component shows that it loads', async () => {
    const sent = await requestsOf((endpoint) => String(useDLE(endpoint).data));
    expect(sent).toBeLessThan(250);
    // React itself ends it, or a compiler makes the endpoint only once.
    expect(screen.queryByRole('alert') ?? screen.getByText('1')).toBeDefined();
  });
});

it(
  'hundreds of function endpoints that are declared once are read together',
  { tags: 'scale' },
  async () => {
    const endpoints = Array.from({ length: 300 }, (_, n) => new Endpoint(async () => n));
    function Row({ endpoint }: { endpoint: (typeof endpoints)[number] }): ReactNode {
      return <li>{useSuspense(endpoint)}</li>;
    }
    render(
      <DataProvider>
        <AsyncBoundary fallback="waits">
          {endpoints.map((endpoint, n) => (
            <Row key={n} endpoint={endpoint} />
          ))}
        </AsyncBoundary>
      </DataProvider>,
    );
    for (let turn = 0; turn < 20; turn += 1) await act(async () => {});
    expect(screen.getAllByRole('listitem')).toHaveLength(300);
  },
);

import { type ReactElement, type ReactNode, useState } from 'react';
import type { EndpointInterface, Manager } from '../index.js';
import { DataProvider } from '../react/index.js';
import type { Fixtures } from './Fixture.js';
import { mockFixtures } from './mockFixtures.js';

/** Props of `MockProvider`. */
export interface MockProviderProps<Endpoints extends readonly EndpointInterface[]> {
  /** What the requests of the components below are answered with; read once: another `key` begins anew. */
  fixtures: Fixtures<Endpoints>;
  children?: ReactNode;
  /** Managers beside the fixtures; read once. */
  managers?: readonly Manager[] | undefined;
}

/**
 * A `DataProvider` whose requests are answered from fixtures, for tests and for stories.
 *
 * @remarks For a controller of your own, with its own clock for example, give it `mockFixtures(…)` as its last manager and
 * hand it to a `DataProvider`: this component does nothing else.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useSuspense } from 'restitch/react';
 * import { MockProvider } from 'restitch/testing';
 *
 * const getPrice = new RestEndpoint({ path: '/prices/:coin' });
 *
 * function Price({ coin }: { coin: string }) {
 *   return <b>{useSuspense(getPrice, { coin }).euros}</b>;
 * }
 *
 * export const Story = () => (
 *   <MockProvider fixtures={[{ endpoint: getPrice, args: [{ coin: 'BTC' }], response: { euros: 1 } }]}>
 *     <Price coin="BTC" />
 *   </MockProvider>
 * );
 * ```
 */
export function MockProvider<const Endpoints extends readonly EndpointInterface[]>({
  fixtures,
  children,
  managers,
}: MockProviderProps<Endpoints>): ReactElement {
  const [all] = useState(() => [...(managers ?? []), mockFixtures(fixtures)]);
  return <DataProvider managers={all}>{children}</DataProvider>;
}

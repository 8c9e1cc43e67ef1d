import { type ReactElement, type ReactNode, useState } from 'react';
import type { EndpointInterface, Manager } from '../index.js';
import { DataProvider } from '../react/index.js';
import type { Fixtures } from './Fixture.js';
import { mockFixtures } from './mockFixtures.js';

/** Props of `MockProvider`, for a component of your own that passes fixtures on. */
export interface MockProviderProps<Endpoints extends readonly EndpointInterface[]> {
  /**
   * The fixtures that respond to requests of the components below, read once. To replace the
   * fixtures, change the React `key`.
   */
  fixtures: Fixtures<Endpoints>;
  children?: ReactNode;
  /** Managers that receive each action before the fixtures, read once. */
  managers?: readonly Manager[] | undefined;
}

/**
 * A `DataProvider` whose requests get their responses from fixtures, for tests and stories. Nothing
 * is retried, or refetched on focus.
 *
 * @remarks To use your own controller, for example with its own clock, pass `mockFixtures(…)` as
 * its last manager. Then pass the controller to a `DataProvider`.
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
 *   <MockProvider
 *     fixtures={[{ endpoint: getPrice, args: [{ coin: 'BTC' }], response: { euros: 1 } }]}
 *   >
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
  return (
    <DataProvider managers={all} retry={0} refetchOnFocus={false}>
      {children}
    </DataProvider>
  );
}

import {
  type ComponentType,
  Fragment,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
} from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, type ControllerOptions, type EndpointInterface } from '../index.js';
import { AsyncBoundary, DataProvider, type ErrorViewProps } from '../react/index.js';
import { actNow, actUntil, leaveAlone } from './acting.js';
import type { Fixtures } from './Fixture.js';
import { type HookResult, Recorder } from './HookResult.js';
import { mockFixtures } from './mockFixtures.js';
import { Traffic } from './Traffic.js';

/** The options of `renderDataHook`, and the options of the `Controller` that it creates. */
export interface RenderDataHookOptions<
  Props,
  Endpoints extends readonly EndpointInterface[],
> extends ControllerOptions {
  /**
   * The fixtures that respond to requests. Without this option, requests reach the network. With an
   * empty list, all requests fail.
   */
  readonly fixtures?: Fixtures<Endpoints> | undefined;
  /** The props that the hook receives until `rerender` replaces them. */
  readonly initialProps?: Props | undefined;
  /** A component around the hook, inside the provider, such as React's `StrictMode`. */
  readonly wrapper?: ComponentType<{ children: ReactNode }> | undefined;
}

/** The result of `renderDataHook`. Call `cleanup` at the end of the test. */
export interface RenderedDataHook<Result, Props> {
  /** The latest outcome of the hook. The object stays the same while the hook is mounted. */
  readonly result: HookResult<Result>;
  /** The controller that the hook reads from. */
  readonly controller: Controller;
  /** Resolves when the hook has rendered again or has failed. */
  readonly waitForNextUpdate: () => Promise<void>;
  /**
   * Resolves when no request is in flight and all responses are rendered. Requests that begin
   * during the wait are included.
   */
  readonly allSettled: () => Promise<void>;
  /** Renders the hook again, with new props if they are given. A hook that failed starts over. */
  readonly rerender: (props?: Props) => void;
  /** Unmounts the hook; `controller` remains usable. */
  readonly unmount: () => void;
  /** Unmounts the hook and disposes of the controller. */
  readonly cleanup: () => void;
}

/**
 * Renders a data hook inside a provider and a boundary, with responses from fixtures.
 *
 * @remarks Needs React's development build, `react-dom` and a `document` (jsdom, happy-dom or a
 * browser).
 *
 * @throws TypeError if there is no document. TypeError or RangeError when a fixture is invalid.
 *
 * @example
 * ```tsx
 * import { Entity, resource } from 'restitch';
 * import { useSuspense } from 'restitch/react';
 * import { renderDataHook } from 'restitch/testing';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 * const Users = resource({ path: '/users/:id', schema: User });
 *
 * const useUser = () => useSuspense(Users.get, { id: '1' });
 *
 * const { result, controller, cleanup } = renderDataHook(useUser, {
 *   fixtures: [{ endpoint: Users.get, args: [{ id: '1' }], response: { id: '1', name: 'Ada' } }],
 * });
 * console.log(result.current.name, controller.get(User, { id: '1' }));
 * cleanup();
 * ```
 */
export function renderDataHook<
  Result,
  const Endpoints extends readonly EndpointInterface[] = readonly [],
>(
  hook: () => Result,
  options?: RenderDataHookOptions<undefined, Endpoints>,
): RenderedDataHook<Result, undefined>;
export function renderDataHook<
  Result,
  Props,
  const Endpoints extends readonly EndpointInterface[] = readonly [],
>(
  hook: (props: Props) => Result,
  options: RenderDataHookOptions<Props, Endpoints> & { readonly initialProps: Props },
): RenderedDataHook<Result, Props>;
export function renderDataHook<Result, Props, Endpoints extends readonly EndpointInterface[]>(
  useHook: (props: Props) => Result,
  options: RenderDataHookOptions<Props, Endpoints> = {},
): RenderedDataHook<Result, Props> {
  if (typeof document === 'undefined') {
    throw new TypeError(
      '`renderDataHook` needs a `document`: run the test in jsdom, happy-dom or a browser.',
    );
  }
  const { fixtures, initialProps, wrapper: Wrapper = Fragment, ...settings } = options;
  const traffic = new Traffic();
  const managers = [traffic, ...(settings.managers ?? [])];
  if (fixtures) managers.push(mockFixtures(fixtures));
  const controller = new Controller({ ...settings, managers });
  const result = new Recorder<Result>();

  function Probe({ props }: { props: Props }): null {
    const value = useHook(props);
    // The effect has no dependencies: a hook may return another value in each render.
    useLayoutEffect(() => result.show(value));
    return null;
  }
  function Waiting(): null {
    useLayoutEffect(() => result.wait(), []);
    return null;
  }
  function Failed({ error, resetErrorBoundary }: ErrorViewProps): null {
    useLayoutEffect(() => result.fail(error, resetErrorBoundary), [error, resetErrorBoundary]);
    return null;
  }

  let attempt = 0;
  const pageOf = (props: Props): ReactElement => (
    <DataProvider controller={controller}>
      <Wrapper>
        <AsyncBoundary key={attempt} fallback={<Waiting />} errorComponent={Failed}>
          <Probe props={props} />
        </AsyncBoundary>
      </Wrapper>
    </DataProvider>
  );
  // The cast: a hook without `initialProps` takes no props.
  let props = initialProps as Props;
  let page = pageOf(props);

  const root = createRoot(document.createElement('div'), {
    // Without this option, React would also print the error, which is in `result`.
    onCaughtError: () => {},
  });
  const render = (): void => root.render(page);
  actNow(render);
  // Outside of `act`, React renders on its own schedule, which fake timers may have stopped.
  // Rendering the unchanged page in `act` flushes these renders, but does not run the hook again.
  const catchUp = (work: () => Promise<void>): Promise<void> =>
    actUntil(async () => {
      await work();
      render();
    });

  const unmount = (): void => actNow(() => root.unmount());
  return {
    result,
    controller,
    async waitForNextUpdate() {
      const before = result.updates;
      while (result.updates === before) {
        await leaveAlone(Promise.race([result.next(), traffic.next()]));
        await catchUp(async () => {});
      }
    },
    async allSettled() {
      do {
        await catchUp(() => traffic.settled());
      } while (traffic.pending > 0);
    },
    rerender(next = props) {
      actNow(() => {
        // During a retry, the old boundary shows its error until a response arrives. Another
        // `attempt` mounts a new boundary.
        if (result.retry()) attempt += 1;
        props = next;
        page = pageOf(props);
        render();
      });
    },
    unmount,
    cleanup() {
      unmount();
      controller.dispose();
    },
  };
}

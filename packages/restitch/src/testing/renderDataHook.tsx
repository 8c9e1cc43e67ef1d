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

/** Settings of `renderDataHook`: those of the `Controller` that it makes, and how the hook is rendered. */
export interface RenderDataHookOptions<
  Props,
  Endpoints extends readonly EndpointInterface[],
> extends ControllerOptions {
  /** What requests are answered with. Without a list they are really sent; with an empty one they all fail. */
  readonly fixtures?: Fixtures<Endpoints> | undefined;
  /** What the hook is called with first. */
  readonly initialProps?: Props | undefined;
  /** Rendered around the hook, inside of the provider: a context that it needs, or React's `StrictMode`. */
  readonly wrapper?: ComponentType<{ children: ReactNode }> | undefined;
}

/** A hook that `renderDataHook` renders. */
export interface RenderedDataHook<Result, Props> {
  /** What the hook shows; the same object for as long as it is mounted. */
  readonly result: HookResult<Result>;
  /** The controller that the hook reads from. */
  readonly controller: Controller;
  /** Settles when the hook has been rendered again, or has failed. */
  readonly waitForNextUpdate: () => Promise<void>;
  /** Settles when no request is under way, those included that others led to, and all answers are rendered. */
  readonly allSettled: () => Promise<void>;
  /** Renders the hook again, with other props if any are given. A hook that failed begins again. */
  readonly rerender: (props?: Props) => void;
  /** Takes the hook off the page; `controller` stays of use. */
  readonly unmount: () => void;
  /** `unmount`, and disposes of the controller: for the end of a test. */
  readonly cleanup: () => void;
}

/**
 * Renders a data hook below a provider and a boundary, with answers from fixtures. Needs React's development build,
 * `react-dom` and a `document` (jsdom, happy-dom or a browser).
 *
 * @throws TypeError where there is no document, or when a fixture is incomplete.
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
 * const { result, controller, cleanup } = renderDataHook(() => useSuspense(Users.get, { id: '1' }), {
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
    // After every render: a hook may return something else each time.
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
  // The cast: without `initialProps` the hook is one that takes none.
  let props = initialProps as Props;
  let page = pageOf(props);

  const root = createRoot(document.createElement('div'), {
    // `result` tells; React would print it besides.
    onCaughtError: () => {},
  });
  const render = (): void => root.render(page);
  actNow(render);
  // What changed outside of `act` waits for React's own schedule, which fake timers may have stopped: rendering the page
  // takes it along. The page itself is unchanged, so the hook does not run for that.
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
        // A boundary that tries again would go on showing the error until there is an answer.
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

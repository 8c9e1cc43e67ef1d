import {
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import {
  Controller,
  type ErrorListener,
  type Manager,
  RecoveryManager,
  type RecoveryManagerOptions,
  type SuccessListener,
} from '../index.js';
import { internalsOf } from '../controller/internals.js';
import { held } from './refCount.js';
import { warnOptions } from './misspelledOptions.js';
import { addTick, Root, useLayout } from './root.js';
import { isServer, warnOnServer } from './server.js';
import { ScopeContext } from './scope.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Props of `DataProvider`; all are optional. */
export interface DataProviderProps extends RecoveryManagerOptions {
  children?: ReactNode;
  /**
   * The controller to use, with its own managers. By default, the provider creates one with a
   * `RecoveryManager`. While the provider is hidden in an `<Activity>`, and after its unmount, the
   * managers of this controller are stopped. Its requests in flight continue.
   *
   * @remarks `retry` and `refetchOnFocus` are options of that manager. Like `managers`, they are
   * read once.
   */
  controller?: Controller | undefined;
  /**
   * Called once for every failed request, like `onError` of a `Controller`. The function may change
   * between renders.
   */
  onError?: ErrorListener | undefined;
  /** Called once for every successful request. The function may change between renders. */
  onSuccess?: SuccessListener | undefined;
  /** Managers of the controller that the provider creates. Read once. */
  managers?: readonly Manager[] | undefined;
}

/**
 * Provides a `Controller` to the data hooks below it. All props are optional.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { DataProvider } from 'restitch/react';
 *
 * export function Root({ children }: { children: ReactNode }) {
 *   return <DataProvider>{children}</DataProvider>;
 * }
 * ```
 */
export function DataProvider(props: DataProviderProps): ReactElement {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
    warnOptions('DataProvider', props);
  const { controller } = props;
  return controller ? <Bound {...props} controller={controller} /> : <Owner {...props} />;
}

function Bound({
  children,
  controller,
  onError,
  onSuccess,
}: DataProviderProps & { controller: Controller }): ReactElement {
  const scope = useMemo(() => ({ root: new Root(controller) }), [controller]);
  useLayout(() => onError && controller.watchErrors(onError), [controller, onError]);
  useLayout(() => onSuccess && controller.watchSuccesses(onSuccess), [controller, onSuccess]);
  return (
    <ScopeContext.Provider value={scope}>
      {children}
      <Tracker key={scope.root.key} root={scope.root} />
    </ScopeContext.Provider>
  );
}

/** The tracker is rendered last, so that its layout effects run after those of all readers. */
function Tracker({ root }: { root: Root }): null {
  const [ticks, queue] = useReducer(addTick, []);
  useLayout(() => root.track(queue), [root]);
  useLayout(() => root.committed(ticks), [root, ticks]);
  return null;
}

type OwnProps = Pick<DataProviderProps, 'managers' | 'refetchOnFocus' | 'retry'>;

/**
 * Creates the controller at the first call. Strict Mode calls `createOwn` twice and drops one
 * result, which must not contain a second controller.
 */
function createOwn({ managers = [], refetchOnFocus, retry }: OwnProps): () => Controller {
  let made: Controller | undefined;
  // The `RecoveryManager` retries no request whose `fetch` an earlier manager replaced.
  return () =>
    (made ??= new Controller({
      managers: [...managers, new RecoveryManager({ refetchOnFocus, retry })],
    }));
}

function Owner({ children, ...props }: DataProviderProps): ReactElement {
  if ((typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') && isServer)
    warnOnServer('controller', withoutController);
  const [own] = useState(() => createOwn(props));
  const controller = own();
  return (
    <Bound {...props} controller={controller}>
      <Presence controller={controller} />
      {/* Without this boundary, a reader that suspends would make React drop `own`. */}
      <Suspense fallback={waiting}>{children}</Suspense>
    </Bound>
  );
}

/**
 * Stops the managers while the provider is hidden in an `<Activity>`, and after its unmount. React
 * doesn't tell one from the other, so the data stays, and calls continue.
 *
 * Rendered first, so that the managers start before the effects of readers subscribe.
 */
function Presence({ controller }: { controller: Controller }): null {
  const core = internalsOf(controller);
  const [hold] = useState(() => held(() => core.rest()));
  useLayout(() => core.resume(), [core]);
  // The passive effects of readers unsubscribe before the managers stop.
  useEffect(hold, [hold]);
  return null;
}

function NoBoundary(): null {
  if (isServer) warnOnServer('boundary', withoutBoundary);
  // oxlint-disable-next-line eslint/no-console -- for the developer; the page goes on
  useEffect(() => console.warn(withoutBoundary), []);
  return null;
}

const waiting: ReactNode = (
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production'
) ? (
  <NoBoundary />
) : null;

const withoutBoundary =
  'restitch: a component waits for data without an <AsyncBoundary> or <Suspense> around it. Put one inside <DataProvider>. Its `fallback` appears until the data is there.';
const withoutController =
  'restitch: a <DataProvider> without a `controller` was rendered on a server: the browser does not get its data and fetches again. Give the provider a new Controller for each request, and write its data into the page with restitch/ssr.';

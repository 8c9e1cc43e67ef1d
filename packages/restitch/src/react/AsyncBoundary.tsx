import {
  type ComponentType,
  type ReactElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { Attempts } from './attempts.js';
import { ErrorBoundary, type ErrorBoundaryProps } from './ErrorBoundary.js';
import type { ErrorViewProps } from './ErrorView.js';
import { useLayout } from './root.js';
import { ScopeContext } from './scope.js';

/** Props of `AsyncBoundary`; all optional. */
export interface AsyncBoundaryProps {
  children?: ReactNode;
  /** Shown while something inside waits for data. Nothing by default. */
  fallback?: ReactNode;
  /** Shown when something inside failed; by default a `role="alert"` with a button to try again. */
  errorComponent?: ComponentType<ErrorViewProps> | undefined;
  /** Handed to the error component as `className`. */
  errorClassName?: string | undefined;
  /** As on `ErrorBoundary`: subscribes to something after which trying again makes sense. */
  listen?: ErrorBoundaryProps['listen'];
  /**
   * Lets React hold content back for up to 300 ms after the fallback appeared, so that several boundaries appear together.
   * By default content is shown as soon as its data is there.
   */
  throttle?: boolean | undefined;
}

/**
 * Shows `fallback` while the data hooks inside wait, and an error component when one of them failed.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { AsyncBoundary } from 'restitch/react';
 *
 * export function Page({ children }: { children: ReactNode }) {
 *   return <AsyncBoundary fallback={<p>Loading…</p>}>{children}</AsyncBoundary>;
 * }
 * ```
 */
export function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  listen,
  throttle,
}: AsyncBoundaryProps): ReactElement {
  const [attempt, update] = useReducer((count: number) => count + 1, 0);
  const [attempts] = useState(() => new Attempts(update));
  useEffect(() => attempts.hold(), [attempts]);
  // Above any provider there is nothing to add to: the readers' own scope begins further down.
  const root = useContext(ScopeContext)?.root;
  const scope = useMemo(
    () => root && { root, wait: throttle ? undefined : attempts.wait, attempts },
    [root, throttle, attempts],
  );
  return (
    <ScopeContext.Provider value={scope}>
      <Suspense fallback={<Fallback attempts={attempts}>{fallback}</Fallback>}>
        <Mark at={attempts.begin} attempt={attempt} />
        <ErrorBoundary
          fallbackComponent={errorComponent}
          className={errorClassName}
          listen={listen}
        >
          {children}
        </ErrorBoundary>
        <Mark at={attempts.end} attempt={attempt} />
      </Suspense>
    </ScopeContext.Provider>
  );
}

function Fallback({ attempts, children }: { attempts: Attempts; children: ReactNode }): ReactNode {
  useLayout(() => attempts.appear(), [attempts]);
  return children;
}

/**
 * Tells how far an attempt to render the children came. The number makes each attempt another element: compiled by the React
 * Compiler, the boundary would otherwise have nothing to render when it is asked to try again.
 */
function Mark({ at }: { at: () => void; attempt: number }): null {
  at();
  return null;
}

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
import { Attempts } from './boundaryAttempts.js';
import { ErrorBoundary, type ErrorBoundaryProps } from './ErrorBoundary.js';
import type { ErrorViewProps } from './ErrorView.js';
import { useLayout } from './root.js';
import { ScopeContext } from './scope.js';

/** Props of `AsyncBoundary`; all are optional. */
export interface AsyncBoundaryProps {
  children?: ReactNode;
  /** Rendered while a component inside waits for data. Default: nothing. */
  fallback?: ReactNode;
  /** Rendered when a component inside failed. Default: a `role="alert"` with a button to retry. */
  errorComponent?: ComponentType<ErrorViewProps> | undefined;
  /** Passed to the error component as `className`. */
  errorClassName?: string | undefined;
  /** Subscribes to an event that makes a retry useful; see `ErrorBoundary`. */
  listen?: ErrorBoundaryProps['listen'];
  /**
   * True: React may delay content for up to 300 ms after the fallback appeared, so that several
   * boundaries can appear together. Default: content appears as soon as its data is stored.
   */
  throttle?: boolean | undefined;
}

/**
 * Renders `fallback` while a data hook inside waits for data, and an error component after a data
 * hook inside failed.
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
  useLayout(attempts.appear, [attempts]);
  return children;
}

/**
 * The React Compiler would reuse an equal element, and React would then not call `at`. So the prop
 * `attempt` makes each element different.
 */
function Mark({ at }: { at: () => void; attempt: number }): null {
  at();
  return null;
}

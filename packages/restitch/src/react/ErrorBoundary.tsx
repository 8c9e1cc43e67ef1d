import {
  Component,
  type ComponentType,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
} from 'react';
import { internalsOf } from '../controller/internals.js';
import { type ErrorViewProps, ErrorView } from './ErrorView.js';
import { failedViews, forget, watchEnd } from './failures.js';
import { useLayout } from './root.js';
import { ScopeContext } from './scope.js';

/** Props of `ErrorBoundary`; all are optional. */
export interface ErrorBoundaryProps {
  children?: ReactNode;
  /** Rendered after an error. Default: a `role="alert"` with a button to retry. */
  fallbackComponent?: ComponentType<ErrorViewProps> | undefined;
  /** Passed to the error component. */
  className?: string | undefined;
  /**
   * Subscribes to an event that makes a retry useful, such as a navigation. Returns a function that
   * unsubscribes. The prop may change between renders.
   */
  listen?: ((reset: () => void) => () => void) | undefined;
}

interface State {
  /** An object, because `undefined` can be thrown too. */
  readonly caught?: { readonly error: unknown } | undefined;
}

/**
 * Catches errors of its children and renders an error component.
 *
 * @remarks A reset clears the stored error of the failed request and renders the children again, in
 * one transition. The boundary is also reset when the error is removed in another way, such as by
 * `invalidate`, and below a `DataProvider` by `resetEntireStore()`.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  /** @internal Called by React. */
  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  /** @internal */
  override state: State = {};

  readonly #clear = (): void => this.setState({ caught: undefined });

  readonly #reset = (): void => {
    startTransition(() => {
      forget(this.state.caught?.error);
      this.#clear();
    });
  };

  /** @internal Called by React. */
  override render(): ReactNode {
    const { children, fallbackComponent: View = ErrorView, className, listen } = this.props;
    const { caught } = this.state;
    return (
      <>
        <Resets listen={listen} reset={this.#reset} clear={this.#clear} caught={caught} />
        {caught ? (
          // The cast: any value may be thrown, but readers throw errors only.
          <View
            error={caught.error as Error}
            resetErrorBoundary={this.#reset}
            className={className}
          />
        ) : (
          children
        )}
      </>
    );
  }
}

interface ResetsProps extends Pick<ErrorBoundaryProps, 'listen'>, State {
  reset: () => void;
  /** Unlike `reset`, starts no transition, because a reset of the store starts none either. */
  clear: () => void;
}

function Resets({ listen, reset, clear, caught }: ResetsProps): null {
  const controller = useContext(ScopeContext)?.root.controller;
  useEffect(() => listen?.(reset), [listen, reset]);
  // The store may be reset between the render of an error and the effect.
  const rendered = useMemo(
    () => caught && controller && internalsOf(controller).store,
    [controller, caught],
  );
  useEffect(() => {
    // Without an error, nothing is updated: if three suspended boundaries have an update inside,
    // React 19 can render in an endless loop.
    if (!rendered || !controller) return undefined;
    if (internalsOf(controller).store !== rendered) clear();
    return controller.watchResets((refetch) => refetch && clear());
  }, [controller, rendered, caught, clear]);
  // Views whose error ended before this render are not watched. A component that throws such an
  // error again would cause an endless loop.
  const failed = useMemo(() => caught && failedViews(caught.error), [caught]);
  useLayout(() => failed && watchEnd(failed, clear), [failed, clear]);
  return null;
}

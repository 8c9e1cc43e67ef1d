import {
  Component,
  type ComponentType,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react';
import { internalsOf } from '../controller/internals.js';
import { type ErrorViewProps, ErrorView } from './ErrorView.js';
import { forget } from './failures.js';
import { ScopeContext } from './scope.js';

/** Props of `ErrorBoundary`; all optional. */
export interface ErrorBoundaryProps {
  children?: ReactNode;
  /** Shown instead of the children after an error; by default a `role="alert"` with a button to try again. */
  fallbackComponent?: ComponentType<ErrorViewProps> | undefined;
  /** Handed to the error component. */
  className?: string | undefined;
  /**
   * Subscribes to something after which trying again makes sense, such as a navigation; returns how to stop.
   * May change between renders.
   */
  listen?: ((reset: () => void) => () => void) | undefined;
}

interface State {
  /** A box, because `undefined` can be thrown too. */
  readonly caught?: { readonly error: unknown } | undefined;
}

/**
 * Catches what its children throw and shows an error component. Resetting clears the stored error of the request that
 * failed and renders the children again, in one transition: one reset, one new request. Below a `DataProvider`
 * `resetEntireStore()` resets it too.
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
        <Resets listen={listen} reset={this.#reset} clear={this.#clear} />
        {caught ? (
          // Anything may be thrown; what readers throw is an Error.
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

interface ResetsProps extends Pick<ErrorBoundaryProps, 'listen'> {
  reset: () => void;
  /** In no transition: an emptied store takes its data from the screen at once, too. */
  clear: () => void;
}

function Resets({ listen, reset, clear }: ResetsProps): null {
  const controller = useContext(ScopeContext)?.root.controller;
  useEffect(() => listen?.(reset), [listen, reset]);
  // A first render may take a while: a reset in that time has emptied the store already.
  const [rendered] = useState(() => controller && internalsOf(controller).store);
  useEffect(() => {
    if (controller && internalsOf(controller).store !== rendered) clear();
    return controller?.watchResets(clear);
  }, [controller, rendered, clear]);
  return null;
}

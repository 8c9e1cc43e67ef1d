import { Component, type ComponentType, type ReactNode, startTransition } from 'react';
import { type ErrorViewProps, ErrorView } from './ErrorView.js';
import { forget } from './failures.js';

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
 * failed and renders the children again, in one transition: one reset, one new request.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  /** @internal Called by React. */
  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  /** @internal */
  override state: State = {};
  #unlisten: (() => void) | undefined;

  readonly #reset = (): void => {
    startTransition(() => {
      const { caught } = this.state;
      if (!caught) return;
      forget(caught.error);
      this.setState({ caught: undefined });
    });
  };

  /** @internal Called by React. */
  override componentDidMount(): void {
    this.#unlisten = this.props.listen?.(this.#reset);
  }

  /** @internal Called by React. */
  override componentDidUpdate(previous: ErrorBoundaryProps): void {
    if (previous.listen === this.props.listen) return;
    this.#unlisten?.();
    this.#unlisten = this.props.listen?.(this.#reset);
  }

  /** @internal Called by React. */
  override componentWillUnmount(): void {
    this.#unlisten?.();
  }

  /** @internal Called by React. */
  override render(): ReactNode {
    const { children, fallbackComponent: View = ErrorView, className } = this.props;
    const { caught } = this.state;
    if (!caught) return children;
    // Anything may be thrown; what readers throw is an Error.
    return (
      <View error={caught.error as Error} resetErrorBoundary={this.#reset} className={className} />
    );
  }
}

import { type ReactElement, useRef, useTransition } from 'react';
import { useLayout } from './root.js';
import type { EndpointError, NetworkError } from '../index.js';

/** The props of an error component. */
export interface ErrorViewProps {
  /** The thrown error. A `NetworkError` has `status` and `response`. */
  error: EndpointError;
  /** Clears the stored error and renders the children again, in a transition. */
  resetErrorBoundary: () => void;
  /** The class name given to the boundary. */
  className?: string | undefined;
}

/** The reset functions of boundaries whose retry button had the focus when it was unmounted. */
const focused = new WeakSet<() => void>();

export function ErrorView({ error, resetErrorBoundary, className }: ErrorViewProps): ReactElement {
  const [busy, start] = useTransition();
  const again = useRef<HTMLButtonElement>(null);
  // After a failed retry, React mounts a new button, which gets the focus of the old button.
  useLayout(() => {
    const button = again.current;
    if (focused.delete(resetErrorBoundary)) button?.focus();
    return () => {
      if (!button || button !== button.ownerDocument.activeElement) return;
      focused.add(resetErrorBoundary);
      queueMicrotask(() => focused.delete(resetErrorBoundary));
    };
  }, [resetErrorBoundary]);
  return (
    <div role="alert" className={className} aria-busy={busy}>
      <p>{textOf(error)}</p>
      {/* A disabled button would lose the focus. */}
      <button
        ref={again}
        type="button"
        aria-disabled={busy}
        onClick={() => busy || start(resetErrorBoundary)}
      >
        Try again
      </button>
    </div>
  );
}

/** Removes the URL at the start of the message, because users cannot use the URL. */
function textOf(error: Error): string {
  // Any value can be thrown, even `null`.
  const { response, message } = Object(error) as Partial<NetworkError>;
  const text = message || String(error);
  const prefix = `${response?.url}: `;
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

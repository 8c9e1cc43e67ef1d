import { type ReactElement, useRef, useTransition } from 'react';
import { useLayout } from './root.js';
import { type EndpointError, SchemaError } from '../index.js';

/** The props of an error component. */
export interface ErrorViewProps {
  /** The thrown error: usually a `NetworkError`, with `status` and `response`. */
  error: EndpointError;
  /** Clears the stored error and renders the children again, in a transition. */
  resetErrorBoundary: () => void;
  /** The class name given to the boundary. */
  className?: string | undefined;
}

/** The reset functions of boundaries whose error view is unmounted while it has the focus. */
const focused = new WeakSet<() => void>();

/** Announces the failure and has a retry button. */
export function ErrorView({ error, resetErrorBoundary, className }: ErrorViewProps): ReactElement {
  const [busy, start] = useTransition();
  const again = useRef<HTMLButtonElement>(null);
  // After a failed retry, React mounts another view in this place. The focus moves to its button.
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

function textOf(error: Error): string {
  // Any value can be thrown, even `null`.
  const { status, response, message } = Object(error) as {
    status?: number;
    response?: { status?: number; statusText?: string };
    message?: string;
  };
  // A `SchemaError` has a status that no server sent, so displaying it would be misleading.
  const isSent = response ? status === response.status : !(error instanceof SchemaError);
  const statusText = response?.statusText;
  const begin = `${status} `;
  const outcome = `${begin}${statusText ?? ''}`.trim();
  // The default message of a `NetworkError` adds only the URL.
  const isPlain = isSent && message?.endsWith(`: ${outcome}`);
  const text = isPlain ? outcome : message || statusText || String(error);
  return status && isSent && !`${text} `.startsWith(begin) ? begin + text : text;
}

import { type ReactElement, useRef, useTransition } from 'react';
import { useLayout } from './root.js';
import { type EndpointError, SchemaError } from '../index.js';

/** What an error component is given. */
export interface ErrorViewProps {
  /** What was thrown: usually a `NetworkError`, with `status` and `response`. */
  error: EndpointError;
  /** Forgets the stored error and renders the children again, in a transition. */
  resetErrorBoundary: () => void;
  /** The class name given to the boundary. */
  className?: string | undefined;
}

/** Boundaries whose error view is being taken away with the focus in it, by their reset. */
const focused = new WeakSet<() => void>();

/** The error component used when none is given: the failure announced to screen readers, and a button to try again. */
export function ErrorView({ error, resetErrorBoundary, className }: ErrorViewProps): ReactElement {
  const [busy, start] = useTransition();
  const again = useRef<HTMLButtonElement>(null);
  // Where trying again fails, React puts another view in the place of this one: the focus stays on the button.
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
      {/* Not disabled, which would take the focus away. */}
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
  // Anything can be thrown, also `null`; a failed request has a status, and perhaps words for it.
  const { status, response, message } = Object(error) as {
    status?: number;
    response?: { status?: number; statusText?: string };
    message?: string;
  };
  // Malformed data has a status of our own, which no server sent: shown, it would lead the search astray.
  const isSent = response ? status === response.status : !(error instanceof SchemaError);
  const statusText = response?.statusText;
  const begin = `${status} `;
  const outcome = `${begin}${statusText ?? ''}`.trim();
  // The message that a `NetworkError` makes by itself says nothing more, and names the URL.
  const isPlain = isSent && message?.endsWith(`: ${outcome}`);
  const text = isPlain ? outcome : message || statusText || String(error);
  return status && isSent && !`${text} `.startsWith(begin) ? begin + text : text;
}

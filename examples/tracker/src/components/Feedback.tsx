/** Shown by a boundary when its data could not be loaded. Trying again fetches once more. */
export function LoadError({
  error,
  resetErrorBoundary,
}: {
  error: Error;
  resetErrorBoundary: () => void;
}) {
  return (
    <div className="load-error" role="alert">
      <strong>This could not be loaded</strong>
      <p>{error.message}</p>
      <button type="button" className="button" onClick={resetErrorBoundary}>
        Try again
      </button>
    </div>
  );
}

export function DetailSkeleton() {
  return (
    <div className="skeleton-detail" aria-busy="true" aria-label="Loading the issue">
      <span style={{ width: '30%' }} />
      <span style={{ width: '85%', height: 22 }} />
      <span style={{ width: '100%', height: 90 }} />
      <span style={{ width: '60%' }} />
    </div>
  );
}

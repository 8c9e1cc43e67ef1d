/** Requests with different headers can be for different users or languages, even without `Vary`. */
export const headersText = ({ headers, credentials }: RequestInit): string =>
  JSON.stringify([credentials, ...new Headers(headers)]);

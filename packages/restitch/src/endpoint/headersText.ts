/**
 * Returns the headers of a request as text. Requests with different texts can get responses for
 * different users or languages, even without a `Vary` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-4.1
 */
export const headersText = ({ headers, credentials }: RequestInit): string =>
  JSON.stringify([credentials, ...new Headers(headers)]);

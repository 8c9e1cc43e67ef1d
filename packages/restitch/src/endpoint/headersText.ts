/**
 * Returns the headers of a request as text. The response to a request with another text can be that
 * of another user or language, even without a `Vary` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-4.1
 */
export const headersText = ({ headers, credentials }: RequestInit): string =>
  JSON.stringify([credentials, ...new Headers(headers)]);

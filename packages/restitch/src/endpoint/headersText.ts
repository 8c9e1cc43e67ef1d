/**
 * Returns the headers of a request as text. Responses to requests with other texts can be those of
 * another user or language, with or without `Vary`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-4.1
 */
export const headersText = ({ headers, credentials }: RequestInit): string =>
  JSON.stringify([credentials, ...new Headers(headers)]);

/** The error for a mistake in the program. The code tells it from a failed connection, which is a `TypeError` as well. */
export const misuse = (code: string, message: string, options?: ErrorOptions): TypeError =>
  Object.assign(new TypeError(message, options), { code });

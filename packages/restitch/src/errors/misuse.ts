/**
 * Returns the error for a mistake in the program. Its code distinguishes it from a failed
 * connection, which is also a `TypeError`.
 */
export const misuse = (code: string, message: string, options?: ErrorOptions): TypeError =>
  Object.assign(new TypeError(message, options), { code });

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * True if `process` exists and `NODE_ENV` is not `production`. Bundlers replace the expression with
 * its value. In a browser without a bundler, `process` is missing, so there are no warnings.
 *
 * @remarks A production bundle drops `long` in `isDevelopment ? long : short`, and `call()` in
 * `isDevelopment && call()`. It still contains the function `call` itself. To drop the function
 * too, write the expression in front of the call: `if (typeof process === 'undefined' ? false :
 * process.env.NODE_ENV !== 'production') call()`.
 */
export const isDevelopment: boolean =
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Bundlers replace the expression with its value. A browser without a bundler has no `process`, so
 * there are no warnings.
 *
 * @remarks A production bundle drops `long` in `isDevelopment ? long : short`, and `call()` in
 * `isDevelopment && call()`. The bundle still contains the function `call`. To drop the function
 * too, write the expression in front of the call: `if (typeof process === 'undefined' ? false :
 * process.env.NODE_ENV !== 'production') call()`.
 */
export const isDevelopment: boolean =
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Whether warnings are wanted: unless `NODE_ENV` is `production`, which bundlers write in place of the expression. A browser
 * without a bundler has no `process`, and no warnings.
 *
 * @remarks Written so that bundlers know the value: `isDevelopment ? long : short` and `isDevelopment && call()` cost a
 * production bundle nothing but the functions that they name. Those are left out, too, where the expression itself stands in
 * front of the call: `if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') warn(…)`.
 */
export const isDevelopment: boolean =
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production';

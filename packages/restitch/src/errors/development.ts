declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * True unless `NODE_ENV` is `production`. Bundlers replace the expression with its value. A browser
 * without a bundler has no `process`, and gets no warnings.
 *
 * @remarks `isDevelopment ? long : short` and `isDevelopment && call()` add no code to a production
 * bundle, except the functions that they name. To drop those functions too, write the expression
 * itself in front of the call: `if (typeof process === 'undefined' ? false : process.env.NODE_ENV
 * !== 'production') warn(…)`.
 */
export const isDevelopment: boolean =
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production';

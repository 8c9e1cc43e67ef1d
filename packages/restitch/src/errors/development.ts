declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether warnings are wanted: unless `NODE_ENV` is `production`, which bundlers write in place of the expression. */
export const isDevelopment: boolean = readMode() !== 'production';

function readMode(): string | undefined {
  try {
    return process.env.NODE_ENV;
  } catch {
    // A browser without a bundler has no `process`.
    return undefined;
  }
}

import { onTestFinished, vi } from 'vitest';

/** Loads the library anew, with a value of `NODE_ENV`. After the test, imports give the usual library again. */
export async function load(
  mode?: 'development' | 'production',
): Promise<typeof import('restitch')> {
  if (mode !== undefined) vi.stubEnv('NODE_ENV', mode);
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  return import('restitch');
}

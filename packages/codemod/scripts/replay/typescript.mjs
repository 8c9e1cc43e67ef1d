/** The compiler as a library, which the version of this workspace is not any more: `npm ci --prefix tools/docs` installs one. */
import { createRequire } from 'node:module';

export const ts = createRequire(new URL('../../../../tools/docs/package.json', import.meta.url))(
  'typescript',
);

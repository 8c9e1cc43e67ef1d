/**
 * One simulated page for all test files of a worker. React keeps the timers of the page in which it was loaded; a page
 * for each file would end them, and the updates of the next file would never run.
 */
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const happyDom = builtinEnvironments['happy-dom'];

export default {
  name: 'shared-dom',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!('happyDOM' in global)) await happyDom.setup(global, options);
    return { teardown: () => global.document.body.replaceChildren() };
  },
} satisfies Environment;

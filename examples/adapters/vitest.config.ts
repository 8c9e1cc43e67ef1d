import { compile, compileModule } from 'svelte/compiler';
import { defineConfig } from 'vitest/config';

// As a bundler for browsers resolves them: for Node, Solid and Svelte give what renders on the server.
const conditions = ['restitch-source', 'module', 'browser', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  plugins: [
    {
      name: 'svelte',
      transform(code, filename) {
        if (filename.endsWith('.svelte')) return compile(code, { filename }).js.code;
        if (filename.endsWith('.svelte.js')) return compileModule(code, { filename }).js.code;
        return undefined;
      },
    },
  ],
  test: {
    name: 'adapters',
    include: ['test/**/*.test.ts'],
    environment: 'happy-dom',
    server: { deps: { inline: [/solid-js/, /svelte/, /vue/] } },
  },
});

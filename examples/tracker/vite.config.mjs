// @ts-check
import { defineConfig } from 'vite';

export default defineConfig({
  // The demo shows the library as it is in this repository: its source, no build in between.
  resolve: { conditions: ['restitch-source', 'module', 'browser', 'development|production'] },
  build: {
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      onLog(level, log, handle) {
        // "use client" at the top of a module means nothing in a page that is only a client.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});

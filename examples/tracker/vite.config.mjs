// @ts-check
import { defineConfig } from 'vite';

export default defineConfig({
  // The demo shows the library as it is in this repository: its source, no build in between.
  resolve: { conditions: ['restitch-source', 'module', 'browser', 'development|production'] },
  build: { chunkSizeWarningLimit: 1000 },
});

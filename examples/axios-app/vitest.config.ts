import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'axios-app',
    include: ['test/**/*.test.{ts,js}'],
    setupFiles: ['test/support/setup.ts'],
  },
});

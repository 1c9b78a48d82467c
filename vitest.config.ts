import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    execArgv: ['--import', new URL('./test/harness/typescript-threads.mjs', import.meta.url).href],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more than two files at once makes the crash and clock tests wait on each other.
    maxWorkers: 2,
  },
})

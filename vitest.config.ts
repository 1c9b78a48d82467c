import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    execArgv: ['--import', new URL('./test/harness/typescript-threads.mjs', import.meta.url).href],
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One more than the two cores that CI has: some files mostly wait, for a minute to pass or a server to give up.
    maxWorkers: 3,
  },
})

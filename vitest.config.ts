import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { ProjectTimes } from './test/harness/run/project-times.js'
import { QueueOrder } from './test/harness/run/queue-order.js'

// Chosen once: the file is read again for each project.
process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31))

const postgres = 'test/harness/run/postgres-setup.ts'

// Where a test belongs is said by its folder below test/, or by its name beside the sources. What a project does not set up, its
// tests do not have: without `.db` there is no database. test/process/test-files.test.ts holds the rest.
// Packages of this repository are loaded from their sources.
const conditions = ['tallystick-source', ...defaultServerConditions]

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'test/unit/**/*.test.ts'],
          exclude: ['**/*.{db,process}.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/service/src/**/*.db.test.ts', 'test/service/**/*.test.ts'],
          globalSetup: [postgres],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: ['test/console/**/*.test.ts'],
          globalSetup: [postgres, 'test/console/harness/full-console.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['packages/service/src/**/*.process.test.ts', 'test/process/**/*.test.ts'],
          globalSetup: [postgres],
        },
      },
    ],
    // Files of a worker share their modules: importing them again for each took longer than the tests.
    isolate: false,
    // Each project would compile the same sources again, and so would each run: 8 s of processor time for one file that starts a service.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    execArgv: ['--import', new URL('./test/harness/run/typescript-threads.mjs', import.meta.url).href],
    setupFiles: ['test/harness/run/seed-setup.ts'],
    reporters: ['default', new ProjectTimes()],
    sequence: { sequencer: QueueOrder },
    // What hangs, not what is slow: a machine whose processors are taken away for a while needs five times as long as usual.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Its own default is a second, which a busy machine may need for one answer.
    expect: { poll: { timeout: 300_000 } },
    // Twice the two cores that CI has: files wait for a server, a process or a minute to pass. Ten files of services took 300 s with
    // four and 381 s with three, and the same processor time, on a machine that was busy with other work.
    maxWorkers: 4,
  },
})

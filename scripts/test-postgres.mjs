// `npm run test:postgres -- 15 [vitest arguments]` runs tests with another PostgreSQL, which it takes from npm and keeps in .cache/.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { fetchPostgres, postgresVersions } from './build/fetch-node.mjs'
import { root } from './build/sources.mjs'

const [major = '', ...options] = process.argv.slice(2)
const majors = Object.keys(postgresVersions)
if (!majors.includes(major)) {
  console.error(`Usage: npm run test:postgres -- ${majors.join('|')} [vitest arguments]`)
  process.exit(2)
}

const folder = fetchPostgres(major)
if (folder === null) {
  console.error(`npm has no PostgreSQL ${major} for this platform, or cannot be reached`)
  process.exit(1)
}
await buildIfChanged()

// What depends on the database most: migrations, the pipelined connection, the record, copies, projections, and the program itself.
const tests = [
  ...[
    'packages/service/src/db/',
    '--exclude',
    'packages/service/src/db/embedded/**',
    'packages/service/src/record',
    'packages/service/src/secrets',
    'packages/service/src/jobs',
  ],
  ...[
    'packages/service/src/reporting',
    'packages/service/src/limits',
    'test/service/record',
    'test/service/reporting',
  ],
  ...[
    'test/process/backup',
    'test/process/move-to',
    'test/process/crash.test',
    'test/process/rolling-migration',
  ],
]
const projects = ['--project', 'service', '--project', 'process']
const chosen = options.length > 0 ? options : [...projects, ...tests]
const run = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...chosen], {
  cwd: root,
  env: { ...process.env, TEST_POSTGRES_PACKAGE: folder },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill(signal))
run.once('exit', (code) => process.exit(code ?? 1))

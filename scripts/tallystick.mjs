// Runs the program from a checkout, and builds it first when something changed. All in this one process: npm passes signals on
// to the process that it started, and no further.
import { fileURLToPath } from 'node:url'
import { buildDocsLater } from './build/build-docs-later.mjs'
import { buildIfChanged } from './build/build-if-changed.mjs'

const program = new URL('../packages/service/dist/cli/index.js', import.meta.url)

await buildIfChanged()
if (process.argv[2] === 'serve') buildDocsLater()
// Where `--workers` finds the program to start.
process.argv[1] = fileURLToPath(program)
await import(program.href)

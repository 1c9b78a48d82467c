import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const service = join(root, 'packages/service')
export const src = join(service, 'src')
export const dist = join(service, 'dist')
const record = join(root, 'packages/record/src')

/** Every source that the program consists of: its path and its text. */
export function readSources() {
  return [...listFiles(src), ...listFiles(record)]
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

/** @param {string} folder @returns {string[]} */
export function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * A hash of all that the build reads, but for the packages: these are compared by version.
 * @param {{ path: string, text: string }[]} sources
 */
export function hashSources(sources) {
  const hash = createHash('sha256')
  const others = [
    ...listFiles(dirname(fileURLToPath(import.meta.url))),
    join(root, 'tsconfig.json'),
    join(service, 'package.json'),
  ]
  const add = (/** @type {string} */ path, /** @type {string} */ text) =>
    hash.update(`${relative(root, path)}\0${text}\0`)
  for (const { path, text } of sources) add(path, text)
  for (const path of others) add(path, readFileSync(path, 'utf8'))
  return hash.digest('hex')
}

/** The code file that an import of `specifier` means: sources name a TypeScript file by its .js. @param {string} path */
export function findCode(path) {
  return [path, path.replace(/\.js$/, '.ts')].find((candidate) => existsSync(candidate))
}

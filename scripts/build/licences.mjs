import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, root } from './sources.mjs'

const separator = `\n${'-'.repeat(100)}\n\n`

/** The packages that are bundled into dist/: those of the program, the console and the site of the documentation, as folders. */
export function listBundled() {
  const { packages } = readJson(join(dist, '.build.json'))
  const inBrowsers = ['console', 'docs'].flatMap((name) => readJson(join(dist, name, '.packages.json')))
  const folders = [
    ...Object.keys(packages),
    ...inBrowsers.map((/** @type {string} */ name) => `node_modules/${name}`),
  ]
  return [...new Set(folders)].sort()
}

/** The licences of bundled packages, as most of them demand. @param {string[]} folders */
export const describeLicences = (folders) =>
  ['Tallystick contains the following packages.\n', ...folders.map(describe)].join(separator)

/** @param {string} folder */
function describe(folder) {
  const {
    name,
    version,
    license = 'licence not stated',
    author,
  } = readJson(join(root, folder, 'package.json'))
  const texts = readdirSync(join(root, folder))
    .filter((file) => /^(licen[cs]e|copying|notice|ofl)/i.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  return [`${name} ${version} (${license})${by ? `, by ${by}` : ''}`, ...texts, ''].join('\n\n')
}

/** @param {string} path */
function readJson(path) {
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

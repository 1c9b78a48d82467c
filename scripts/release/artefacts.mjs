// What a release consists of, beside the documents about it. A new artefact is a new entry here.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildPython } from '../sdk/build-python.mjs'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @typedef {object} Artefact
 * @property {string} name
 * @property {(folder: string) => string[]} build writes files into the folder and returns their names
 */

/** @type {Artefact[]} */
export const artefacts = [
  { name: 'npm', build: (folder) => packNpm('packages/service', folder) },
  { name: 'sdk', build: (folder) => packNpm('packages/sdk', folder) },
  { name: 'python', build: (folder) => buildPython(folder, process.env.PYTHON ?? 'python3') },
]

/** `npm pack` writes the same bytes for the same files: it gives each the same time and owner. @param {string} path @param {string} folder */
function packNpm(path, folder) {
  const printed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `./${path}`], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return [printed.trim().split('\n').at(-1) ?? '']
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listBundled } from '../build/licences.mjs'
import { root } from './artefacts.mjs'

/**
 * Returns the software bill of materials in the format CycloneDX 1.5: every package of the lockfile with its licence and its hash. The
 * scope is `required` for what is delivered, and `excluded` for what only builds and tests it. npm writes it; a random number and the time
 * of the run are replaced, so that the same sources give the same document.
 * @param {{ version: string, date: string }} release
 */
export function writeSbom({ version, date }) {
  const printed = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { serialNumber: _, metadata, components, ...rest } = JSON.parse(printed)
  const bundled = new Set(listBundled().map(refOf))
  const sbom = {
    ...rest,
    metadata: {
      ...metadata,
      timestamp: date,
      // Otherwise it has the name of the folder.
      component: { ...metadata.component, type: 'application', name: 'tallystick', version },
    },
    components: components.map((/** @type {any} */ each) => describe(each, bundled)),
  }
  return `${JSON.stringify({ ...sbom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(sbom))}` }, null, 2)}\n`
}

/**
 * What is bundled is a dependency of development for npm, and npm names the packages of this repository by their folders.
 * @param {any} component @param {Set<string>} bundled
 */
function describe({ properties, ...component }, bundled) {
  const ref = String(component['bom-ref'])
  const isDevelopment = properties.some(
    (/** @type {any} */ { name }) => name === 'cdx:npm:package:development',
  )
  const isDelivered = !isDevelopment || bundled.has(ref)
  return {
    ...component,
    name: ref.slice(0, ref.lastIndexOf('@')),
    scope: isDelivered ? 'required' : 'excluded',
  }
}

/** @param {string} folder of an installed package */
function refOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

/** A UUID of version 8, which is made from a hash. @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

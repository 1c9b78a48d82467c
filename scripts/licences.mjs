// `npm run licences` checks the licence of every package in the lockfile, those of development included.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Licences whose only conditions are notices, which THIRD_PARTY_LICENSES and the SBOM fulfil. */
const allowed = new Set(
  ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT'].concat([
    'OFL-1.1',
    'PSF-2.0',
    'Python-2.0',
    'Unlicense',
    'Zlib',
  ]),
)

/** Other licences, for packages that only build or test Tallystick: nothing of them is delivered. */
const allowedForTools = new Map([
  ['MPL-2.0', /^(lightningcss(-.*)?|axe-core)$/],
  ['CC-BY-4.0', /^caniuse-lite$/],
])

/** Packages of tests that state MIT in a file (`LICENSE` or `Readme.md`) instead of `package.json`. */
const statedInFiles = new Set(['busboy@1.6.0', 'humanize-number@0.0.2', 'only@0.0.2', 'streamsearch@1.1.0'])

/**
 * Returns a sentence for each package that may not be used.
 * @param {Record<string, { license?: string, version?: string, name?: string, link?: boolean }>} packages
 */
export function findForbidden(packages) {
  return Object.entries(packages).flatMap(([path, { license, version, name, link }]) => {
    if (link || !path.includes('node_modules/')) return []
    const named = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (license === undefined && statedInFiles.has(`${named}@${version}`)) return []
    if (license === undefined) return [`${named}@${version} states no licence`]
    return isAllowed(license, named) ? [] : [`${named}@${version} has the licence ${license}`]
  })
}

/** Of alternatives one must be allowed, of licences that apply together all. @param {string} expression @param {string} name */
function isAllowed(expression, name) {
  const isOne = (/** @type {string} */ licence) =>
    allowed.has(licence) || (allowedForTools.get(licence)?.test(name) ?? false)
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((licence) => isOne(licence.trim())))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const forbidden = findForbidden(packages)
  for (const sentence of forbidden) console.error(sentence)
  console.log(`licences: ${Object.keys(packages).length} packages, ${forbidden.length} not allowed`)
  if (forbidden.length > 0) {
    console.error('Replace the package, or allow its licence in scripts/licences.mjs.')
    process.exit(1)
  }
}

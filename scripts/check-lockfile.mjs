// Checks that npm verifies every package it installs: each entry of the lockfile names the hash of its tarball and no download address.
// A bundled package is part of its parent's tarball.
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const entries = Object.entries(packages).filter(
  ([path, entry]) => path !== '' && path.includes('node_modules/') && !entry.link && !entry.inBundle,
)
const faults = entries.flatMap(([path, { integrity, resolved }]) => [
  ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${path}: no sha512 integrity`]),
  ...(resolved === undefined ? [] : [`${path}: names the address ${resolved}`]),
])
for (const fault of faults) console.error(fault)
console.log(`lockfile: ${entries.length} packages, ${faults.length} faults`)
if (faults.length > 0) {
  console.error('Update or pin the package to a version whose hash the registry tells, then run npm install.')
  process.exit(1)
}

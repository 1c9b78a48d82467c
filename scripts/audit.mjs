// Checks the packages of the lockfile against known security advisories, without the network: advisories.json is a pinned snapshot in the
// format of the registry's answer. `--update` asks the registry, as `npm audit` does, and replaces the snapshot.
import { readFileSync, writeFileSync } from 'node:fs'
import { satisfies } from 'semver'

/** @typedef {{ url: string, title: string, severity: string, vulnerable_versions: string }} Advisory */

const snapshotUrl = new URL('./advisories.json', import.meta.url)

/** The versions of each package in the lockfile. @returns {Record<string, string[]>} */
function readVersions() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  /** @type {Record<string, string[]>} */
  const versions = {}
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link) continue
    const { name = path.slice(path.lastIndexOf('node_modules/') + 13), version } = entry
    versions[name] = [...new Set([...(versions[name] ?? []), version])]
  }
  return versions
}

/** @param {Record<string, string[]>} versions @returns {Promise<Record<string, Advisory[]>>} */
async function askRegistry(versions) {
  const registry = process.env.npm_config_registry
  if (!registry) throw new Error('Run it as `npm run audit -- --update`: npm says which registry to ask')
  const answer = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(versions),
    signal: AbortSignal.timeout(30_000),
  })
  if (!answer.ok) throw new Error(`The registry answered ${answer.status}: the snapshot stays as it is`)
  return await answer.json()
}

const versions = readVersions()
if (process.argv.includes('--update')) {
  const advisories = await askRegistry(versions)
  const asOf = new Date().toISOString().slice(0, 10)
  writeFileSync(snapshotUrl, `${JSON.stringify({ asOf, advisories }, null, 2)}\n`)
}

/** @type {{ asOf: string, advisories: Record<string, Advisory[]> }} */
const { asOf, advisories } = JSON.parse(readFileSync(snapshotUrl, 'utf8'))
const entries = Object.entries(advisories).flatMap(([name, list]) =>
  list.map((advisory) => ({ name, ...advisory })),
)
const found = entries.flatMap(({ name, vulnerable_versions, ...advisory }) =>
  (versions[name] ?? [])
    .filter((version) => satisfies(version, vulnerable_versions, { includePrerelease: true }))
    .map((version) => ({ name, version, ...advisory })),
)
for (const { name, version, severity, title, url } of found)
  console.error(`${name}@${version}: ${severity}: ${title} (${url})`)
console.log(
  `audit: ${Object.keys(versions).length} packages, ${entries.length} advisories as of ${asOf}, ${found.length} found`,
)
if (found.length > 0) process.exit(1)

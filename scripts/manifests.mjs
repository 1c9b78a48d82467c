// `npm run manifests` renders deploy/kubernetes from the Helm chart.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './build/sources.mjs'
import { renderManifests } from './helm/chart.mjs'

const manifests = renderManifests()
if (manifests === null) {
  console.error('npm has no Helm for this platform, or cannot be reached')
  process.exit(1)
}
for (const [name, text] of Object.entries(manifests))
  writeFileSync(join(root, 'deploy/kubernetes', name), text)

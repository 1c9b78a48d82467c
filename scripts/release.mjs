// `npm run release [-- --output FOLDER] [--only NAME …] [--uncommitted]` builds all artefacts of a release, with a bill of materials,
// checksums and provenance. The same commit gives the same files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { builtDocs } from './build/bundle-docs.mjs'
import { artefacts, root } from './release/artefacts.mjs'
import { writeProvenance } from './release/write-provenance.mjs'
import { writeSbom } from './release/write-sbom.mjs'

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: join(root, 'release') },
    only: { type: 'string', multiple: true, default: [] },
    uncommitted: { type: 'boolean', default: false },
  },
})
const output = resolve(values.output)
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

if (git('status', '--porcelain') !== '' && !values.uncommitted) {
  console.error(
    'There are uncommitted changes, and the provenance names a commit: commit them, or add --uncommitted for a trial.',
  )
  process.exit(1)
}
const unknown = values.only.find((name) => !artefacts.some((each) => each.name === name))
if (unknown !== undefined) {
  console.error(`No artefact is named "${unknown}": use ${artefacts.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

if (existsSync(output) && readdirSync(output).length > 0 && !existsSync(join(output, 'SHA256SUMS'))) {
  console.error(`${output} has files that are not of a release: name another folder.`)
  process.exit(1)
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const commit = git('rev-parse', 'HEAD')
// Every timestamp in an artefact is the time of the commit.
process.env.SOURCE_DATE_EPOCH = git('log', '-1', '--format=%ct')
const date = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1_000).toISOString()

await buildIfChanged()
// Its packages are in the bill of materials.
await builtDocs.build()
rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
/** @type {string[]} */
const files = []
for (const { name, build } of artefacts)
  if (values.only.length === 0 || values.only.includes(name)) files.push(...(await build(output)))
const sbom = `tallystick-${version}.cdx.json`
writeFileSync(join(output, sbom), writeSbom({ version, date }))
const digests = new Map([...files, sbom].sort().map((name) => [name, digestOf(name)]))
const provenance = `tallystick-${version}.intoto.json`
writeFileSync(join(output, provenance), writeProvenance({ version, commit, digests, only: values.only }))
digests.set(provenance, digestOf(provenance))
const lines = [...digests].map(([name, digest]) => `${digest}  ${name}\n`)
writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
process.stdout.write(lines.join(''))

/** @param {string} name */
function digestOf(name) {
  return createHash('sha256')
    .update(readFileSync(join(output, name)))
    .digest('hex')
}

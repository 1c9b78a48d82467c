// What a release consists of, beside the documents about it. A new artefact is a new entry here.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { archiveFolder } from '../build/archive-folder.mjs'
import { buildSite } from '../build/bundle-docs.mjs'
import { buildPython } from '../sdk/build-python.mjs'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const version = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
/** The time of every file, in seconds since 1970: that of the commit. */
const createdAt = () => Number(process.env.SOURCE_DATE_EPOCH)

/**
 * @typedef {object} Artefact
 * @property {string} name
 * @property {(folder: string) => string[] | Promise<string[]>} build writes files into the folder and returns their names
 */

/** @type {Artefact[]} */
export const artefacts = [
  { name: 'npm', build: (folder) => packNpm('packages/service', folder) },
  { name: 'sdk', build: (folder) => packNpm('packages/sdk', folder) },
  { name: 'image', build: buildImage },
  { name: 'chart', build: buildChart },
  { name: 'docs', build: buildDocs },
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

/** The image of this platform, as one file that `skopeo copy oci-archive:…` and `docker load` read. @param {string} folder */
async function buildImage(folder) {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return await inWorkFolder((work) => {
    execFileSync(process.execPath, ['scripts/image.mjs', '--output', work], { cwd: root, stdio: 'inherit' })
    const names = readdirSync(work).sort()
    return write(
      folder,
      `tallystick-${version()}-linux-${architecture}.oci.tar`,
      archiveFolder(work, { createdAt: createdAt(), names }),
    )
  })
}

/** `helm package` writes the time of the packing into its file, so the chart is packed here. @param {string} folder */
function buildChart(folder) {
  const chart = archiveFolder(join(root, 'deploy/helm/tallystick'), {
    createdAt: createdAt(),
    prefix: 'tallystick',
  })
  return write(folder, `tallystick-chart-${version()}.tgz`, gzipSync(chart))
}

/** The documentation for any static server, at its root. @param {string} folder */
async function buildDocs(folder) {
  return await inWorkFolder(async (work) => {
    await buildSite(join(work, 'site'), '/')
    const site = archiveFolder(join(work, 'site'), {
      createdAt: createdAt(),
      prefix: `tallystick-docs-${version()}`,
    })
    return write(folder, `tallystick-docs-${version()}.tar.gz`, gzipSync(site))
  })
}

/** @template T @param {(folder: string) => T | Promise<T>} use */
async function inWorkFolder(use) {
  const work = mkdtempSync(join(tmpdir(), 'tallystick-release-'))
  try {
    return await use(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string} name @param {Uint8Array} content */
function write(folder, name, content) {
  writeFileSync(join(folder, name), content)
  return [name]
}

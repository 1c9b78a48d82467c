import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { archiveFolder } from '../build/archive-folder.mjs'

/** @typedef {{ digest: string, diffId: string, size: number, unpackedSize: number }} Layer */

/**
 * Writes the folder as a layer. The same files give the same bytes: names are sorted, and times, owners and rights do not depend on the
 * machine.
 * @param {string} folder @param {string} layout @param {{ owner: number, createdAt: number }} options
 * @returns {Layer}
 */
export function writeLayer(folder, layout, { owner, createdAt }) {
  normalizeRights(folder)
  const archive = archiveFolder(folder, { owner, createdAt })
  const compressed = gzipSync(archive, { level: 6 })
  return {
    digest: writeBlob(layout, compressed),
    diffId: digestOf(archive),
    size: compressed.length,
    unpackedSize: archive.length,
  }
}

/** @param {string} layout @param {Uint8Array} content */
export function writeBlob(layout, content) {
  const digest = digestOf(content)
  writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), content)
  return digest
}

/** @param {Uint8Array} content */
const digestOf = (content) => `sha256:${createHash('sha256').update(content).digest('hex')}`

/** Everybody may read, and programs may be run. A folder for all, such as /tmp, stays one. @param {string} path */
function normalizeRights(path) {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  const { mode } = stats
  if (!stats.isDirectory()) return chmodSync(path, mode & 0o100 ? 0o755 : 0o644)
  chmodSync(path, mode & 0o1000 ? 0o1777 : 0o755)
  for (const name of readdirSync(path)) normalizeRights(join(path, name))
}

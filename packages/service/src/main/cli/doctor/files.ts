import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../../config/index.js'
import { loadSigningKey } from '../../../record/index.js'
import { errorCode, hasCode } from '../../../shared/error-code.js'
import { messageOf } from '../../../shared/error-message.js'
import { createFindings, type Finding } from './finding.js'

const folder = createFindings('data folder')
const disk = createFindings('disk')
const signingKey = createFindings('signing key')

const mebibyte = 2 ** 20
/** Receipts that wait for a database are written to disk, and the bundled database is on it. */
const leastFreeBytes = 100 * mebibyte
const fewFreeBytes = 1_024 * mebibyte

/** Checks the data folder: its space, who may use it, and the keys in it. */
export async function checkFiles({ dataDir, signingKey: configured }: Config): Promise<Finding[]> {
  const existing = await findExisting(dataDir)
  return [
    await checkAccess(dataDir, existing),
    await checkSpace(existing),
    ...(
      await Promise.all(['signing-key.pem', 'master-key'].map((name) => checkKeyFile(join(dataDir, name))))
    ).flat(),
    await checkSigningKey(dataDir, configured),
  ]
}

/** The folder itself, or the one that it will be created in. */
async function findExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) return path
    return await findExisting(dirname(path))
  }
}

async function checkAccess(dataDir: string, existing: string): Promise<Finding> {
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
    return folder.ok(existing === dataDir ? `${dataDir} is writable` : `${dataDir} will be created`)
  } catch (error) {
    return folder.failed(
      `this user may not write to ${existing} (${errorCode(error)})`,
      'Run the command as the user of the service, make that user the owner, or set TALLYSTICK_DATA_DIR',
    )
  }
}

async function checkSpace(existing: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(existing)
    const freeBytes = bavail * bsize
    const text = `${Math.floor(freeBytes / mebibyte).toLocaleString('en-US')} MiB are free at ${existing}`
    const advice = 'Free some space, or move the data folder'
    if (freeBytes < leastFreeBytes) return disk.failed(text, advice)
    return freeBytes < fewFreeBytes ? disk.warning(text, advice) : disk.ok(text)
  } catch (error) {
    return disk.failed(
      `the free space at ${existing} cannot be read (${errorCode(error)})`,
      'Check the data folder',
    )
  }
}

/** A key that others may read must be taken for known to them. */
async function checkKeyFile(path: string): Promise<Finding[]> {
  const { failed } = createFindings('key files')
  try {
    const { mode } = await stat(path)
    if (process.platform === 'win32' || (mode & 0o077) === 0) return []
    return [failed(`${path} can be read by other users`, `Run chmod 600 ${path}, and rotate the key`)]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    return [
      failed(`${path} cannot be read (${errorCode(error)})`, 'Run the command as the user of the service'),
    ]
  }
}

async function checkSigningKey(dataDir: string, configured: string | null): Promise<Finding> {
  try {
    const key = await loadSigningKey({ dataDir, configured })
    return signingKey.ok(
      key === null ? 'there is none yet; the first start creates it' : `${key.publicKey.id} can sign`,
    )
  } catch (error) {
    return signingKey.failed(
      messageOf(error),
      'Check TALLYSTICK_SIGNING_KEY, or the file signing-key.pem in the data folder',
    )
  }
}

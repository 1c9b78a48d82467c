import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../error-code.js'
import { syncFolder } from './build-folder.js'

function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

export async function readPassword(dataDir: string): Promise<string> {
  const path = passwordPath(dataDir)
  const password = await readFile(path, 'utf8').catch(() => undefined)
  if (!password) throw new Error(`The database password is missing: ${path} cannot be read. Restore it.`)
  return password
}

/** Writes a new password unless there is one; of two writers at once, both end up with the first one's. */
export async function ensurePassword(dataDir: string): Promise<string> {
  const path = passwordPath(dataDir)
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(randomBytes(24).toString('base64url'))
    // A database that outlives its password in a power cut is a locked one.
    await handle.sync()
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await syncFolder(dirname(path))
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  return readPassword(dataDir)
}

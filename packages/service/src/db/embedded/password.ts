import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile } from '../../shared/durable-files.js'

function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

export async function readPassword(dataDir: string): Promise<string> {
  const path = passwordPath(dataDir)
  const password = await readFile(path, 'utf8').catch(() => undefined)
  if (!password) throw new Error(`The database password is missing: ${path} cannot be read. Restore it.`)
  return password
}

/** Creates a password unless there is one. Two concurrent calls both return the password of the first. */
export async function ensurePassword(dataDir: string): Promise<string> {
  // The file is durable, because a database whose password is lost in a power cut cannot be opened.
  await createFile(passwordPath(dataDir), randomBytes(24).toString('base64url'))
  return readPassword(dataDir)
}
